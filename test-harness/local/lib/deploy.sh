# shellcheck shell=bash
# The operator and the sample cluster in a running instance.

SAMPLE=$ROOT/deploy/samples/cluster-3x1.yaml
OPERATOR_NAMESPACE=valkey-operator
OPERATOR_DEPLOYMENT=deployment/valkey-operator

# need_manifests: stops with a sentence where there is no operator to install yet.
need_manifests() {
    local path
    for path in deploy/crds deploy/operator.yaml "${SAMPLE#"$ROOT"/}"; do
        [ -e "$ROOT/$path" ] ||
            die "$path is not there, so there is no operator to start;" \
                "./dev$(name_option) up --bare starts Kubernetes alone"
    done
}

install_crds() {
    step "Custom resources"
    kube_apply "$ROOT/deploy/crds"
    kube wait --for=condition=Established --timeout=30s -f "$ROOT/deploy/crds" >/dev/null ||
        die "the API server did not take up the custom resources in deploy/crds within 30 s"
    step_done
}

# kube_apply PATH: silent but for what goes wrong.
kube_apply() {
    local output
    output=$(kube apply -f "$1" 2>&1) || die "kubectl apply -f $1: $output"
}

# install_operator ARCHIVE: or brings a running one up to date. A tag that now means another image replaces no pod by
# itself, so a changed image restarts the Deployment.
install_operator() {
    local archive=$1 restart=no
    step "Operator"
    if ! is_loaded "$archive"; then
        if kube -n "$OPERATOR_NAMESPACE" get "$OPERATOR_DEPLOYMENT" >/dev/null 2>&1; then restart=yes; fi
        load_image "$archive"
    fi
    kube_apply "$ROOT/deploy/operator.yaml"
    if [ $restart = yes ]; then kube -n "$OPERATOR_NAMESPACE" rollout restart "$OPERATOR_DEPLOYMENT" >/dev/null; fi
    if ! kube -n "$OPERATOR_NAMESPACE" rollout status "$OPERATOR_DEPLOYMENT" --timeout=45s >/dev/null 2>&1; then
        say "$(kube -n "$OPERATOR_NAMESPACE" get pods 2>&1)"
        kube -n "$OPERATOR_NAMESPACE" logs "$OPERATOR_DEPLOYMENT" --tail=20 || true
        die "the operator was not up within 45 s; its pods and last lines are above"
    fi
    step_done "$([ $restart = yes ] && echo "running, the new image" || echo running)"
}

# sample_state: "NAMESPACE/NAME STATE MESSAGE..." of the sample's cluster.
sample_state() {
    local fields=' {.status.state} {.status.message}{end}'
    kube get -f "$SAMPLE" --ignore-not-found \
        -o jsonpath='{range .items[?(@.kind=="ValkeyCluster")]}{.metadata.namespace}/{.metadata.name}'"$fields"
}

install_sample() {
    local name state message start
    step "Sample cluster"
    kube_apply "$SAMPLE"
    start=$(now_ms)
    while true; do
        read -r name state message < <(sample_state || true) || true
        [ "${state:-}" != Active ] || break
        progress "$name: ${state:-no state yet} ${message:-}"
        [ $(($(now_ms) - start)) -lt 180000 ] ||
            die "waited 180 s for $name to become Active, in vain: ${state:-no state} ${message:-};" \
                "see ./dev$(name_option) logs and ./dev$(name_option) status"
        sleep 0.2
    done
    step_done "$name is Active"
    show_what_next "$name"
}

show_what_next() {
    local dev
    dev=./dev$(name_option)
    cat <<EOF

Try next:
  $dev valkey-cli $1 set greeting hello
  $dev valkey-cli $1 get greeting
  $dev kubectl get valkeyclusters,valkeynodes,pods -n ${1%/*}
  $dev logs -f
  $dev kubectl patch valkeycluster ${1#*/} -n ${1%/*} --type=merge -p '{"spec":{"shards":4}}'
  $dev status        $dev down        $dev help
EOF
}
