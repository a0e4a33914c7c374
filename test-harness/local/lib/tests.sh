# shellcheck shell=bash
# ./dev test: the tiers, each of which can be run alone, and a line for each in the end.
#
#   shell   shellcheck over every shell script
#   quick   the whole Maven build with its unit tests
#   local   ./dev itself: starts, kills, ends instances and looks for what is left
#   it      integration tests (*IT) on the real Kubernetes, in an instance of their own
#
# One more is run only when it is asked for:
#
#   mutation  changes core's code in small ways and looks whether a unit test fails

ALL_TIERS=(shell quick local it)
OTHER_TIERS=(mutation)
TEST_INSTANCE="test"

# command_test [TIER]: all of them without one. After "it" may stand the names of integration tests, to run only
# those.
command_test() {
    local tiers=("${1:-all}") tier lines=() failed=0 start
    [ "${tiers[*]}" != all ] || tiers=("${ALL_TIERS[@]}")
    [ $# -lt 2 ] || [ "$1" = it ] || die "test: '$2' after '$1': only 'it' takes names of tests"
    shift || true
    for tier in "${tiers[@]}"; do
        [[ " ${ALL_TIERS[*]} ${OTHER_TIERS[*]} " == *" $tier "* ]] ||
            die "test: no tier '$tier'; there are all, ${ALL_TIERS[*]}, and ${OTHER_TIERS[*]}"
    done
    require_debian_root
    ensure_tools
    ensure_jdk25
    for tier in "${tiers[@]}"; do
        start=$(now_ms)
        say "== test $tier"
        # In a process of its own: a tier that fails must end itself, and nothing else.
        if "$ROOT/dev" --name "$NAME" test-tier "$tier" "$@"; then
            lines+=("$(printf '%-8s passed %8s s' "$tier" "$(seconds_since "$start")")")
        else
            lines+=("$(printf '%-8s FAILED %8s s' "$tier" "$(seconds_since "$start")")")
            failed=$((failed + 1))
        fi
    done
    printf '\n'
    printf '%s\n' "${lines[@]}"
    printf '%d passed, %d failed\n' $((${#tiers[@]} - failed)) $failed
    [ $failed = 0 ]
}

# command_test_tier TIER [TEST]...: one tier, in this process.
command_test_tier() {
    local tier=$1
    shift
    ensure_jdk25
    case $tier in
        shell) test_shell ;;
        quick) maven verify ;;
        local) test_local ;;
        it) test_it "$@" ;;
        mutation) test_mutation ;;
    esac
}

shell_scripts() {
    (cd "$ROOT" && { git ls-files -co --exclude-standard 2>/dev/null || find . -type f -not -path '*/target/*'; }) |
        while read -r file; do
            [ ! -f "$ROOT/$file" ] || awk 'FNR == 1 && /^#!.*[\/ ](ba|da)?sh/ { print FILENAME } { exit }' "$ROOT/$file"
        done
}

test_shell() {
    local scripts
    is_there shellcheck || with_lock "$CACHE/apt.lock" 600 install_packages shellcheck
    mapfile -t scripts < <(shell_scripts)
    (cd "$ROOT" && shellcheck --external-sources --check-sourced "${scripts[@]}")
    say "shellcheck: ${#scripts[@]} scripts and what they source, nothing found"
}

# test_mutation: the report is core/target/pit-reports/index.html.
test_mutation() {
    maven -P mutation -pl core test-compile org.pitest:pitest-maven:mutationCoverage
    say "mutation: the report is $ROOT/core/target/pit-reports/index.html"
}

test_local() {
    local test passed=0 failed=0
    for test in "$LOCAL"/test/*-test.sh; do
        if "$test"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    done
    printf 'local: %d passed, %d failed\n' $passed $failed
    [ $failed = 0 ]
}

# test_it [TEST]...: the tests' instance is theirs alone, fresh, and gone afterwards whatever the result.
test_it() {
    [ "$NAME" != dev ] || use_instance "$TEST_INSTANCE"
    prepare_parts operator
    fetch_for_offline
    with_lock "$STATES/$NAME.lock" 3600 run_it "$@"
}

# Maven cannot reach anything from inside the cluster's network: what the tests need is fetched, and compiled, before.
fetch_for_offline() {
    step "Compile the integration tests"
    maven -q -P it -DskipUnitTests -DskipITs -pl test-harness -am verify
    # Only a run with tests in it makes Maven fetch what runs them.
    if [ ! -d "$HOME/.m2/repository/org/apache/maven/surefire/surefire-junit-platform" ]; then
        maven -q -pl core surefire:test
    fi
    step_done
}

run_it() {
    local chosen=()
    [ $# -eq 0 ] || chosen=("-Dit.test=$(IFS=,; echo "$*")")
    trap 'with_status stop_instance' EXIT
    clear_instance
    start_kubernetes "${ARCHIVES[@]}"
    if [ -e "$ROOT/deploy/crds" ]; then install_crds; fi
    export_facts
    run_inside "$ROOT/dev" --name "$NAME" maven -o -P it -DskipUnitTests -pl test-harness -am verify \
        "${chosen[@]}"
}

# with_status COMMAND...: keeps the exit status that the shell is about to end with.
with_status() {
    local status=$?
    "$@"
    exit $status
}

# export_facts: what integration tests are told about the instance that they run in.
export_facts() {
    local node sockets=()
    for node in "${ALL_NODES[@]}"; do sockets+=("$STATE/$node/run/containerd.sock"); done
    export VALKEY_OPERATOR_IT_KUBECONFIG=$ADMIN_KUBECONFIG
    export VALKEY_OPERATOR_IT_INSTANCE=$NAME
    export VALKEY_OPERATOR_IT_NETWORK=/run/netns/$ID
    export VALKEY_OPERATOR_IT_STATE_DIR=$STATE
    export VALKEY_OPERATOR_IT_BIN_DIR=$BIN # kubectl, ctr
    VALKEY_OPERATOR_IT_CONTAINERD_SOCKETS=$(IFS=,; echo "${sockets[*]}")
    export VALKEY_OPERATOR_IT_CONTAINERD_SOCKETS
    export VALKEY_OPERATOR_IT_AUDIT_LOG=$STATE/log/audit.jsonl # every request of the operator's service account
    export VALKEY_OPERATOR_IT_REPOSITORY=$ROOT
    export_server_roots
}

# export_server_roots: VALKEY_9_1_ROOT and so on, for tests that run a server as a process of this machine.
export_server_roots() {
    local line version suite
    for line in "${SERVER_IMAGES[@]}"; do
        read -r version suite <<<"$line"
        version=${version%.*}
        export "VALKEY_${version/./_}_ROOT=$(server_folder "${line% *}" "$suite")/root"
    done
}

# command_bench NAME ARGUMENT...: hands over to test-harness/bench/NAME, with the same facts as integration tests
# have.
command_bench() {
    local name=${1:-} known
    known=$(find "$ROOT/test-harness/bench" -maxdepth 1 -type f -perm -100 ! -name '*.sh' -printf '%f ' 2>/dev/null || true)
    if [ -z "$name" ] || [ ! -x "$ROOT/test-harness/bench/$name" ]; then
        die "bench: no '$name'; there are: ${known:-none yet}"
    fi
    shift
    ensure_jdk25
    need_running
    export_facts
    exec "$ROOT/test-harness/bench/$name" "$@"
}

# command_sim ARGUMENT...: the loop in a simulated world; needs no instance, no root and nothing but the JDK and Maven.
command_sim() {
    local classes=$ROOT/test-harness/sim/target/classes:$ROOT/core/target/classes
    ensure_jdk25
    maven -q -pl test-harness/sim -am compile -Dspotless.check.skip=true >&2
    exec "$JAVA_HOME/bin/java" -XX:+UseSerialGC -cp "$classes" com.gomomento.valkey.operator.sim.run.Simulate "$@"
}
