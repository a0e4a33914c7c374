# shellcheck shell=bash
# The commands of ./dev that work on a running instance.

need_running() {
    use_kubernetes
    [ "$(instance_state)" = up ] || die "instance '$NAME' does not run: ./dev$(name_option) up"
}

# What to put into a command line that is shown, so that it reaches this instance.
name_option() {
    [ "$NAME" = dev ] || printf ' --name %s' "$NAME"
}

command_kubectl() {
    need_running
    exec env -u http_proxy -u https_proxy -u HTTP_PROXY -u HTTPS_PROXY KUBECONFIG="$ADMIN_KUBECONFIG" \
        "$BIN/kubectl" "$@"
}

command_kubeconfig() {
    need_running
    echo "$ADMIN_KUBECONFIG"
}

# command_run COMMAND...: a program of this machine inside the cluster's network with the cluster's DNS.
command_run() {
    [ $# -gt 0 ] || die "run: what? For example ./dev run curl -s http://POD.CLUSTER.NAMESPACE.svc.cluster.local:8080"
    need_running
    run_inside "$@"
}

run_inside() {
    local resolv=$STATE/resolv.conf
    printf 'nameserver %s\nsearch svc.cluster.local cluster.local\noptions ndots:5\n' "$DNS_ADDRESS" >"$resolv"
    if inside_network_already; then
        "$@"
        return
    fi
    # shellcheck disable=SC2016 # the inner shell's parameters
    in_network unshare --mount sh -c 'mount --bind "$0" /etc/resolv.conf && exec "$@"' "$resolv" \
        env -u http_proxy -u https_proxy -u HTTP_PROXY -u HTTPS_PROXY KUBECONFIG="$ADMIN_KUBECONFIG" \
        PATH="$BIN:$PATH" "$@"
}
