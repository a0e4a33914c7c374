#!/bin/bash
# control-plane.sh NAME: etcd, the API server, the controller manager, the scheduler and the cluster's DNS.
# Runs inside the instance's network namespace, and ends once the API server is ready.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=test-harness/local/lib/all.sh
. "$ROOT/test-harness/local/lib/all.sh"

# The kernel of a virtual machine may have no dummy device; a bridge without ports does the same.
make_node_addresses() {
    local i
    ip link set lo up
    ip link show node0 >/dev/null 2>&1 || ip link add node0 type bridge
    ip link set node0 up
    for i in "${!ALL_NODES[@]}"; do ip addr replace "$NODE_NETWORK.$((i + 1))/24" dev node0; done
    # There is no kube-proxy: the one Service with an address of its own is an address of this machine.
    ip addr replace "$SERVICE_ADDRESS/32" dev node0
    ip route replace default dev node0
    echo 1 >/proc/sys/net/ipv4/ip_forward
}

# What the operator asks of the API server, so that tests can look for refusals and for writes that should not be.
write_audit_policy() {
    cat >"$STATE/audit-policy.yaml" <<'EOF'
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
  userGroups: ["system:serviceaccounts:valkey-operator"]
- level: None
EOF
}

start_api_server() {
    daemon etcd "$BIN/etcd" --data-dir "$STATE/etcd" --unsafe-no-fsync --log-level warn \
        --listen-client-urls http://127.0.0.1:2379 --advertise-client-urls http://127.0.0.1:2379 \
        --listen-peer-urls http://127.0.0.1:2380
    daemon apiserver "$BIN/kube-apiserver" --etcd-servers=http://127.0.0.1:2379 \
        --secure-port="$PORT" --bind-address=0.0.0.0 --advertise-address="$DNS_ADDRESS" \
        --tls-cert-file="$KEEP/apiserver.crt" --tls-private-key-file="$KEEP/apiserver.key" \
        --service-account-issuer=https://kubernetes.default.svc \
        --service-account-key-file="$KEEP/service-accounts.key" \
        --service-account-signing-key-file="$KEEP/service-accounts.key" \
        --token-auth-file="$KEEP/tokens.csv" --authorization-mode=Node,RBAC \
        --enable-admission-plugins=NodeRestriction --allow-privileged=true \
        --service-cluster-ip-range=10.96.0.0/16 --kubelet-preferred-address-types=InternalIP \
        --audit-policy-file="$STATE/audit-policy.yaml" --audit-log-path="$STATE/log/audit.jsonl" --audit-log-maxsize=100
}

start_controllers() {
    daemon controller-manager "$BIN/kube-controller-manager" --kubeconfig="$KEEP/controller-manager.kubeconfig" \
        --service-account-private-key-file="$KEEP/service-accounts.key" --root-ca-file="$KEEP/ca.crt" \
        --use-service-account-credentials --kube-api-qps=300 --kube-api-burst=600 --leader-elect=false --bind-address=127.0.0.1 \
        --cert-dir="$STATE/controller-manager"
    daemon scheduler "$BIN/kube-scheduler" --kubeconfig="$KEEP/scheduler.kubeconfig" \
        --leader-elect=false --bind-address=127.0.0.1 --cert-dir="$STATE/scheduler"
}

# Pods reach the API server at its Service's address; from outside the namespace the way in is a Unix socket.
start_forwarders() {
    daemon service-address socat "TCP-LISTEN:443,bind=$SERVICE_ADDRESS,fork,reuseaddr" "TCP:127.0.0.1:$PORT"
    daemon api-socket socat "UNIX-LISTEN:$STATE/api.sock,fork,unlink-early" "TCP:127.0.0.1:$PORT"
}

start_dns() {
    cat >"$STATE/Corefile" <<EOF
.:53 {
    bind $DNS_ADDRESS
    errors
    kubernetes cluster.local in-addr.arpa {
        kubeconfig $ADMIN_KUBECONFIG
        pods insecure
        ttl 1
    }
}
EOF
    daemon dns "$BIN/coredns" -conf "$STATE/Corefile"
}

use_instance "$1"
use_running_kubernetes
PORT=$(cat "$KEEP/port")
join_cgroup system
make_node_addresses
write_audit_policy
start_api_server
wait_for 60 "the API server (its log: $STATE/log/apiserver.log)" api_is_ready
start_controllers
start_forwarders
start_dns
