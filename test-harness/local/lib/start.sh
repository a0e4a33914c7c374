# shellcheck shell=bash
# Starting an instance, and what tells whether it runs.

# kube ARGUMENT...: kubectl as the instance's administrator, never for ever.
kube() {
    timeout 60 env -u http_proxy -u https_proxy -u HTTP_PROXY -u HTTPS_PROXY \
        "$BIN/kubectl" --kubeconfig="$ADMIN_KUBECONFIG" --request-timeout=20s "$@"
}

api_is_ready() {
    local address
    address=https://127.0.0.1:$(cat "$KEEP/port")
    [ "$(curl -s -m 2 --noproxy '*' --cacert "$KEEP/ca.crt" "$address/readyz")" = ok ]
}

nodes_are_ready() {
    local ready
    ready=$(kube get nodes -o jsonpath='{.items[*].status.conditions[?(@.type=="Ready")].status}')
    [ "$(grep -ow True <<<"$ready" | wc -l)" = ${#ALL_NODES[@]} ]
}

dns_answers() {
    in_network timeout 2 busybox nslookup kubernetes.default.svc.cluster.local "$DNS_ADDRESS"
}

# instance_state: prints one word.
#   up        all there
#   degraded  something of a node was killed, the control plane is all there
#   broken    a start that did not end, or the control plane was killed, or the machine was started anew
#   down      nothing there
instance_state() {
    local file name state=up
    if [ ! -d "$STATE/run" ]; then
        [ -e "/run/netns/$ID" ] && echo broken || echo down
        return
    fi
    for file in "$STATE"/run/*.pid; do
        name=${file##*/}
        name=${name%.pid}
        if ! process_of "$name" >/dev/null; then
            case $name in
                node*) state=degraded ;;
                *)
                    echo broken
                    return
                    ;;
            esac
        fi
    done
    [ -e "$STATE/run/complete" ] && echo $state || echo broken
}

# start_kubernetes ARCHIVE...: to ready nodes, with these images on each of them; does only what is missing.
start_kubernetes() {
    local found
    step "Kubernetes, ${#ALL_NODES[@]} nodes"
    found=$(instance_state)
    if [[ $found == @(up|degraded) ]] && [ "$(cat "$STATE/run/bin")" = "$BIN" ] && api_is_ready; then
        start_missing_nodes
        step_done "running already"
        return
    fi
    if [ "$found" != down ]; then
        progress "clearing away what is left of an earlier one"
        clear_instance
    fi
    prepare_state
    start_processes "$@"
    printf '%s\n' "$@" >"$STATE/run/images"
    touch "$STATE/run/complete"
    step_done "ready on 127.0.0.1:$(cat "$KEEP/port")"
}

start_missing_nodes() {
    local node
    for node in "${ALL_NODES[@]}"; do
        if ! process_of "$node-containerd" >/dev/null || ! process_of "$node-kubelet" >/dev/null; then
            progress "starting $node again"
            start_node "$node"
        fi
    done
    wait_for_nodes
}

wait_for_nodes() {
    wait_for 90 "${#ALL_NODES[@]} nodes to be Ready (logs: $STATE/log/node*-kubelet.log)" nodes_are_ready
}

prepare_state() {
    mkdir -p "$STATE/run"
    echo "$BIN" >"$STATE/run/bin"
    rm -rf "$STATE/log"
    mkdir -p "$STATE/log"
    choose_port
    make_keys
    make_cgroups "${ALL_NODES[@]}"
    ip netns add "$ID"
}

start_processes() {
    local node port jobs=() job
    port=$(cat "$KEEP/port")
    (
        join_cgroup system
        daemon forwarder socat "TCP-LISTEN:$port,bind=127.0.0.1,fork,reuseaddr" "UNIX-CONNECT:$STATE/api.sock"
    )
    in_network "$LOCAL/control-plane.sh" "$NAME" 9>&- &
    jobs+=($!)
    for node in "${ALL_NODES[@]}"; do
        in_network unshare --mount "$LOCAL/node.sh" "$NAME" "$node" "$@" 9>&- &
        jobs+=($!)
    done
    for job in "${jobs[@]}"; do
        wait "$job" || die "Kubernetes did not start (see above); the logs are in $STATE/log"
    done
    wait_for_nodes
    wait_for 30 "the service account 'default' (log: $STATE/log/controller-manager.log)" kube get serviceaccount default
    wait_for 30 "the cluster's DNS (log: $STATE/log/dns.log)" dns_answers
}

# start_node NODE: starts what is missing of a node, in the mount namespace of its daemons and shims; if all of them
# are gone, so is their mount namespace, and containers that may be left are of no use.
start_node() {
    local node=$1 daemons enter
    mapfile -t daemons < <(node_daemons "$node")
    if [ ${#daemons[@]} -gt 0 ]; then
        enter=(nsenter --mount --target "${daemons[0]}")
    else
        kill_node "$node"
        enter=(unshare --mount)
    fi
    in_network "${enter[@]}" "$LOCAL/node.sh" "$NAME" "$node" 9>&-
}

# is_loaded ARCHIVE: whether the running instance's nodes have it.
is_loaded() {
    grep -qxF "$1" "$STATE/run/images"
}

# load_image ARCHIVE: imports it on every node of the running instance.
load_image() {
    local node jobs=() job
    for node in "${ALL_NODES[@]}"; do
        timeout 120 "$BIN/ctr" -a "$STATE/$node/run/containerd.sock" -n k8s.io images import "$1" \
            >>"$STATE/log/$node-import.log" 2>&1 9>&- &
        jobs+=($!)
    done
    for job in "${jobs[@]}"; do
        wait "$job" || die "$1 could not be imported on every node"
    done
    echo "$1" >>"$STATE/run/images"
}
