# shellcheck shell=bash
# The commands of ./dev that work on a running instance.

need_running() {
    use_running_kubernetes
    [[ $(instance_state) == @(up|degraded) ]] || die "instance '$NAME' does not run: ./dev$(name_option) up"
}

# prepare_parts WHAT: makes all that an instance needs, WHAT being "bare" or "operator", and sets ARCHIVES and
# OPERATOR_ARCHIVE, so that what is edited in the checkout from now on makes no difference to this run. Images are made
# beside the Kubernetes build, which takes minutes the first time.
prepare_parts() {
    local beside folder=""
    require_debian_root
    ensure_tools
    if [ "$1" = operator ]; then
        ensure_jdk25
        folder=$(operator_folder)
    fi
    prepare_images "$folder" &
    beside=$!
    ensure_kubernetes
    wait "$beside" || exit 1 # it has said why
    ensure_pause_image
    mapfile -t ARCHIVES < <(server_archives)
    ARCHIVES+=("$(pause_folder)/image.tar")
    OPERATOR_ARCHIVE=$folder/image.tar
    [ "$1" = bare ] || ARCHIVES+=("$OPERATOR_ARCHIVE")
}

# prepare_images FOLDER: FOLDER being the operator's, or empty for none.
prepare_images() {
    ensure_server_images
    [ -z "$1" ] || ensure_operator_image "$1"
}

command_up() {
    case ${1:-} in
        --bare)
            prepare_parts bare
            with_lock "$STATES/$NAME.lock" 900 start_kubernetes "${ARCHIVES[@]}"
            ;;
        "")
            need_manifests
            prepare_parts operator
            with_lock "$STATES/$NAME.lock" 900 bring_up
            ;;
        *) die "up: '$1' is not known; allowed is --bare" ;;
    esac
}

bring_up() {
    start_kubernetes "${ARCHIVES[@]}"
    install_crds
    install_operator "$OPERATOR_ARCHIVE"
    install_sample
}

command_status() {
    local state
    state=$(instance_state)
    case $state in
        up) ;;
        degraded) echo "A part of a node was killed. ./dev$(name_option) up starts it again." ;;
        down)
            echo "Instance '$NAME' does not run. ./dev$(name_option) up starts it."
            return 1
            ;;
        broken)
            echo "Instance '$NAME' is incomplete: its start did not end, or a part of it was killed."
            echo "./dev$(name_option) up starts it anew."
            return 1
            ;;
    esac
    use_running_kubernetes
    echo "Instance '$NAME': API server https://127.0.0.1:$(cat "$KEEP/port"), kubeconfig $ADMIN_KUBECONFIG"
    echo
    kube get nodes -L topology.kubernetes.io/zone
    echo
    if kube get namespace "$OPERATOR_NAMESPACE" >/dev/null 2>&1; then
        kube -n "$OPERATOR_NAMESPACE" get pods -o wide
    else
        echo "No operator (./dev$(name_option) up installs it)."
    fi
    echo
    if kube get crd valkeyclusters.valkey.gomomento.com >/dev/null 2>&1; then
        kube get valkeyclusters -A
    fi
}

command_kubectl() {
    need_running
    exec env -u http_proxy -u https_proxy -u HTTP_PROXY -u HTTPS_PROXY KUBECONFIG="$ADMIN_KUBECONFIG" \
        "$BIN/kubectl" "$@"
}

# command_logs [-f] [operator|NAMESPACE/POD]
command_logs() {
    local follow=() subject=operator argument
    for argument in "$@"; do
        case $argument in
            -f) follow=(-f) ;;
            operator | */*) subject=$argument ;;
            *) die "logs: '$argument' is neither -f nor 'operator' nor NAMESPACE/POD" ;;
        esac
    done
    if [ "$subject" = operator ]; then
        command_kubectl -n "$OPERATOR_NAMESPACE" logs "${follow[@]}" "$OPERATOR_DEPLOYMENT"
    else
        command_kubectl -n "${subject%/*}" logs "${follow[@]}" "${subject#*/}"
    fi
}

# command_node NODE ACTION: faults. "freeze" stops its kubelet as SIGSTOP does, so that the node turns NotReady and
# its pods run on; "kill" ends everything on it at once; "start" brings it back, without the pods that "kill" ended.
command_node() {
    local node=${1:-} action=${2:-}
    use_running_kubernetes
    [[ " ${ALL_NODES[*]} " == *" $node "* ]] || die "node: '$node' is none; there are ${ALL_NODES[*]}"
    case $action in
        freeze) signal_kubelet "$node" STOP ;;
        thaw) signal_kubelet "$node" CONT ;;
        kill) kill_node "$node" ;;
        start) start_node "$node" ;;
        *) die "node: '$action' is not known; allowed are freeze, thaw, kill, start" ;;
    esac
}

signal_kubelet() {
    local pid
    pid=$(process_of "$1-kubelet") || die "node: the kubelet of $1 does not run; ./dev$(name_option) node $1 start"
    kill "-$2" "$pid"
}

command_kubeconfig() {
    need_running
    echo "$ADMIN_KUBECONFIG"
}

command_load_image() {
    [ $# -gt 0 ] || die "load-image: which archives? (OCI or docker save format)"
    need_running
    local archive
    for archive in "$@"; do
        step "Image $(basename "$archive")"
        load_image "$archive"
        step_done "on every node"
    done
}

# command_run COMMAND...: a program of this machine inside the cluster's network with the cluster's DNS.
command_run() {
    [ $# -gt 0 ] || die "run: what? For example ./dev run getent hosts kubernetes.default.svc.cluster.local"
    need_running
    run_inside "$@"
}

run_inside() {
    if inside_network_already; then
        "$@"
        return
    fi
    printf 'nameserver %s\nsearch svc.cluster.local cluster.local\noptions ndots:5\n' "$DNS_ADDRESS" \
        >"$STATE/resolv.conf"
    printf 'passwd: files\ngroup: files\nhosts: files dns\n' >"$STATE/nsswitch.conf" # no way round resolv.conf
    # shellcheck disable=SC2016 # the inner shell's parameters
    in_network unshare --mount sh -c \
        'for file in resolv.conf nsswitch.conf; do mount --bind "$0/$file" "/etc/$file" || exit 1; done; exec "$@"' \
        "$STATE" \
        env -u http_proxy -u https_proxy -u HTTP_PROXY -u HTTPS_PROXY KUBECONFIG="$ADMIN_KUBECONFIG" \
        PATH="$BIN:$PATH" "$@"
}

# command_valkey_cli NAMESPACE/CLUSTER ARGUMENT...: as a client of that cluster, by the name of one of its ready pods.
command_valkey_cli() {
    local namespace=${1%/*} cluster=${1#*/} pod root tls=()
    [[ ${1:-} == */* ]] || die "valkey-cli: which cluster? NAMESPACE/CLUSTER, then what valkey-cli takes"
    shift
    need_running
    pod=$(kube -n "$namespace" get pods -l "app.kubernetes.io/instance=$cluster" \
        -o jsonpath='{range .items[*]}{.metadata.name} {.status.conditions[?(@.type=="Ready")].status}{"\n"}{end}' |
        awk '$2 == "True" { print $1; exit }')
    [ "$pod" ] ||
        die "valkey-cli: no pod of $namespace/$cluster is ready (./dev$(name_option) kubectl -n $namespace get pods)"
    root=$(dirname "$(grep -m1 /valkey-9 "$STATE/run/images")")/root
    mapfile -t tls < <(tls_arguments "$namespace" "$cluster")
    run_inside "$root/usr/lib64/ld-linux-x86-64.so.2" --library-path "$root/usr/lib/x86_64-linux-gnu" \
        --argv0 valkey-cli "$root/usr/bin/valkey-cli" -c -h "$pod.$cluster.$namespace.svc.cluster.local" -p 6379 \
        "${tls[@]}" "$@"
}

# tls_arguments NAMESPACE CLUSTER: what valkey-cli needs to talk to it and to believe its certificate, a word a line.
tls_arguments() {
    local secret authority=$STATE/run/$1-$2-ca.crt
    secret=$(kube -n "$1" get valkeycluster "$2" -o jsonpath='{.spec.tls.secretRef}' 2>/dev/null) || true
    [ "$secret" ] || return 0
    [[ $secret != \{* ]] || secret=$(sed -n 's/.*"name":"\([^"]*\)".*/\1/p' <<<"$secret")
    kube -n "$1" get secret "$secret" -o jsonpath='{.data.ca\.crt}' | base64 -d >"$authority"
    printf -- '--tls\n--cacert\n%s\n' "$authority"
}
