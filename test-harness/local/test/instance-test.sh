#!/bin/bash
# instance-test.sh: ./dev brings instances up and takes them down, whatever was killed in between, and leaves nothing.
set -euo pipefail
# shellcheck source=test-harness/local/test/checks.sh
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"

A=selftest-a
B=selftest-b

# pid_of INSTANCE PROCESS
pid_of() {
    use_instance "$1"
    process_of "$2"
}

# kill_recorded INSTANCE PROCESS...: as an accident would.
kill_recorded() {
    local instance=$1 process
    shift
    for process in "$@"; do kill -KILL "$(pid_of "$instance" "$process")"; done
}

pods_answer_by_name() {
    use_kubernetes
    local server
    server=$(server_folder 9.1.2 sid)/root
    dev "$A" run "$server/usr/lib64/ld-linux-x86-64.so.2" --library-path "$server/usr/lib/x86_64-linux-gnu" \
        "$server/usr/bin/valkey-cli" -h pods.default.svc.cluster.local ping
}

answers_from_outside() {
    use_instance "$A"
    api_is_ready
}

three_zones() {
    [ "$(dev "$A" kubectl get nodes -o jsonpath='{.items[*].metadata.labels.topology\.kubernetes\.io/zone}')" = "zone-a zone-b zone-c" ]
}

test_ordinary_life() {
    check "up" dev $A up --bare
    check "nodes stand in three zones" three_zones
    check "the API server answers outside the namespace" answers_from_outside
    check "six restricted pods run" some_pods $A
    check "a client inside reaches them by the Service's name" pods_answer_by_name
    local before
    before=$(pid_of $A apiserver)
    check "up again changes nothing" dev $A up --bare
    check "the API server is still the same process" [ "$(pid_of $A apiserver)" = "$before" ]
    check "status" dev $A status
}

tells_killed_node() {
    dev $A status | grep "part of a node was killed"
}

only_in_a() {
    dev $A kubectl create namespace only-in-a
    refused dev $B kubectl get namespace only-in-a
}

# Another process may have got the number of one that was recorded.
test_foreign_process() {
    local stranger
    sleep 300 &
    stranger=$!
    use_instance $B
    echo "$stranger 1-of-another-boot" >"$STATE/run/stranger.pid"
    check "down of the second instance" dev $B down
    check "nothing of it is left" nothing_left $B
    check "a process that only has a recorded number lives on" kill -0 $stranger
    kill $stranger
}

test_two_instances() {
    check "a second instance beside the first" dev $B up --bare
    check "a namespace made in one is not in the other" only_in_a
    test_foreign_process
    check "the first is untouched" answers_from_outside
}

test_kills() {
    kill_recorded $A etcd node1-containerd node2-kubelet forwarder
    check_not "status tells that something was killed" dev $A status
    check "down after etcd, a containerd, a kubelet and the forwarder were killed" dev $A down
    check "nothing is left" nothing_left $A
    check "down again is harmless" dev $A down
}

# cut_off SECONDS: an 'up' that is killed with all its helpers after so long, as by a closed laptop.
cut_off() {
    setsid "$ROOT/dev" --name $A up --bare >/dev/null 2>&1 &
    local leader=$!
    sleep "$1"
    kill -KILL -- "-$leader"
    wait $leader 2>/dev/null || true
}

test_half_finished() {
    local seconds
    for seconds in 0.5 1.5 3; do
        cut_off $seconds
        check "down after an up that was killed after $seconds s" dev $A down
        check "nothing is left" nothing_left $A
    done
    cut_off 2
    check "up after an up that was killed" dev $A up --bare
    check "pods run after that" some_pods $A
    # A machine that was switched off: all processes gone, all files there.
    use_instance $A
    instance_processes | xargs kill -KILL 2>/dev/null || true
    ip netns del "$ID"
    check "up after all processes and the network were gone" dev $A up --bare
    check "pods run after that, too" some_pods $A
}

test_node_faults() {
    kill_recorded $A node1-kubelet node2-containerd
    check "status tells that something of a node was killed" tells_killed_node
    check "up starts what is missing" dev $A up --bare
    check "the pods live on" some_pods $A
    check "a node is killed" dev $A node node3 kill
    check "kubectl still works" dev $A kubectl get nodes
    check "and started again" dev $A node node3 start
    check "the node is Ready again" dev $A kubectl wait --for=condition=Ready node/node3 --timeout=60s
    check "pods run again" dev $A kubectl rollout status deployment/pods --timeout=90s
    check "down" dev $A down
    check "nothing is left" nothing_left $A
}

cleanup() {
    for instance in $A $B; do dev "$instance" down >/dev/null 2>&1 || true; done
}

trap cleanup EXIT
test_ordinary_life
test_two_instances
test_kills
test_half_finished
test_node_faults
finish
