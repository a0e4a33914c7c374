# shellcheck shell=bash
# What the tests of ./dev share: a check is a sentence and a command; a failed one is told and counted.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
# shellcheck source=test-harness/local/lib/all.sh
. "$ROOT/test-harness/local/lib/all.sh"

PASSED=0
FAILED=0
OUTPUT=$(mktemp)

# check SENTENCE COMMAND...
check() {
    local sentence=$1
    shift
    if "$@" >"$OUTPUT" 2>&1; then
        PASSED=$((PASSED + 1))
        say "  ok      $sentence"
    else
        FAILED=$((FAILED + 1))
        say "  FAILED  $sentence"
        sed 's/^/          /' "$OUTPUT"
    fi
}

# check_not SENTENCE COMMAND...: the command must fail.
check_not() {
    local sentence=$1
    shift
    check "$sentence" refused "$@"
}

refused() {
    if "$@"; then return 1; fi
}

finish() {
    rm -f "$OUTPUT"
    printf '%s: %d passed, %d failed\n' "$(basename "$0" .sh)" $PASSED $FAILED
    [ $FAILED = 0 ]
}

# dev INSTANCE COMMAND...
dev() {
    "$ROOT/dev" --name "$@"
}

# without_ended: of paths /proc/PID/..., those whose process has not ended, with what it is. One that has, and that its
# parent has not asked after yet, is still listed in the cgroup that it was in.
without_ended() {
    local path pid
    while read -r path; do
        pid=${path#/proc/}
        pid=${pid%%/*}
        if look_up "$pid"; then echo "$path $(ps -o ppid=,stat=,etimes=,args= -p "$pid")"; fi
    done
}

# nothing_left INSTANCE: no process, mount, network namespace, interface or cgroup; what it finds is the output.
# Processes are looked for by everything that could tie them to the instance: arguments, mounts, cgroup.
nothing_left() {
    local found state
    use_instance "$1"
    state="[/]${STATE#/}/" # does not match the command line that carries it
    found=$(
        if [ -e "/run/netns/$ID" ]; then echo "network namespace $ID"; fi
        find_groups "" -type d | sed 's/^/cgroup /'
        grep -lsE " $STATE/|$ID" /proc/[0-9]*/mountinfo | sed 's/^/mount in /'
        grep -lsF "/$ID/" /proc/[0-9]*/cgroup | without_ended | sed 's/^/process in /'
        grep -lsE "$state" /proc/[0-9]*/cmdline | without_ended | sed 's/^/process /'
        ip -o link show type veth 2>/dev/null | sed 's/^/interface /'
        ip -o link show type bridge 2>/dev/null | grep -E 'cni0|node0' | sed 's/^/interface /'
        if [ -e "$STATE/run" ]; then echo "folder $STATE/run"; fi
    )
    echo "$found"
    [ -z "$found" ]
}

# some_pods INSTANCE: six restricted Valkey pods, running on its nodes.
some_pods() {
    dev "$1" kubectl apply -f "$LOCAL/test/pods.yaml"
    dev "$1" kubectl rollout status deployment/pods --timeout=60s
}
