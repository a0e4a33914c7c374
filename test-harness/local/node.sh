#!/bin/bash
# node.sh NAME NODE ARCHIVE...: one node: a containerd with the images imported, and a kubelet once the API server is
# ready. Runs inside the instance's network namespace and in a mount namespace of the node's own, so that each node
# has its own /var/lib/kubelet and so on, none of it is seen on this machine, and all mounts go when its processes do.
# Started again after something was killed, it starts what is missing.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=test-harness/local/lib/all.sh
. "$ROOT/test-harness/local/lib/all.sh"

ZONES=(zone-a zone-b zone-c)
POD_NETWORK=10.244.0.0/16

# Folders at fixed places that containerd and kubelet share with no one: the node's own under the instance's state.
mount_own_folders() {
    local pair
    mount --make-rshared /
    for pair in containerd:/var/lib/containerd run:/run/containerd kubelet:/var/lib/kubelet cni:/var/lib/cni \
        pods:/var/log/pods containers:/var/log/containers; do
        mkdir -p "$HOME_FOLDER/${pair%%:*}" "${pair#*:}"
        mount --bind "$HOME_FOLDER/${pair%%:*}" "${pair#*:}"
    done
    shield_kernel_settings
}

# kubelet sets a few switches of the whole kernel (what a panic does, memory overcommit). Here it sets copies of them.
shield_kernel_settings() {
    local setting copy
    for setting in vm/overcommit_memory vm/panic_on_oom kernel/panic kernel/panic_on_oops \
        kernel/keys/root_maxkeys kernel/keys/root_maxbytes; do
        copy=$HOME_FOLDER/settings/${setting//\//.}
        if [ -e "/proc/sys/$setting" ]; then
            mkdir -p "$HOME_FOLDER/settings"
            cat "/proc/sys/$setting" >"$copy"
            mount --bind "$copy" "/proc/sys/$setting"
        fi
    done
}

write_containerd_config() {
    cat >"$HOME_FOLDER/containerd.toml" <<EOF
version = 3
# The NRI socket is one for the whole machine: a second containerd that starts at the same moment may die of it.
disabled_plugins = ["io.containerd.nri.v1.nri"]

[plugins."io.containerd.cri.v1.images".pinned_images]
sandbox = "$PAUSE_IMAGE"

[plugins."io.containerd.cri.v1.runtime"]
# Without CAP_SYS_RESOURCE runc dies with "can't get final child's PID from pipe".
restrict_oom_score_adj = true
# Else pods' network namespaces pile up as cni-* in the machine's list.
netns_mounts_under_state_dir = true

[plugins."io.containerd.cri.v1.runtime".cni]
bin_dirs = ["/usr/lib/cni"]
conf_dir = "$HOME_FOLDER/net.d"

[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"

[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
BinaryName = "/usr/sbin/runc"
SystemdCgroup = false
EOF
    mkdir -p "$HOME_FOLDER/net.d"
    cat >"$HOME_FOLDER/net.d/10-pods.conflist" <<EOF
{"cniVersion": "0.4.0", "name": "pods", "plugins": [{"type": "bridge", "bridge": "cni0", "isGateway": true,
  "ipMasq": false, "ipam": {"type": "host-local", "dataDir": "$STATE/addresses",
  "ranges": [[{"subnet": "$POD_NETWORK"}]], "routes": [{"dst": "0.0.0.0/0"}]}}]}
EOF
}

write_kubelet_config() {
    cat >"$HOME_FOLDER/kubelet.yaml" <<EOF
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
cgroupDriver: cgroupfs
cgroupRoot: /$ID/$NODE
failCgroupV1: false
failSwapOn: false
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
# The network namespace is the boundary; only the API server is in it with us.
authentication: {anonymous: {enabled: true}, webhook: {enabled: false}}
authorization: {mode: AlwaysAllow}
clusterDNS: [$DNS_ADDRESS]
clusterDomain: cluster.local
resolvConf: ""
address: $ADDRESS
healthzBindAddress: $ADDRESS
maxPods: 250
serializeImagePulls: false
# Images cannot be pulled again, so they are never collected, however full the disk is.
imageGCHighThresholdPercent: 100
imageGCLowThresholdPercent: 99
evictionHard: {memory.available: "100Mi", nodefs.available: "1%", imagefs.available: "1%"}
EOF
}

# ctr looks only at the socket, not at a process.
containerd_answers() {
    timeout 5 "$BIN/ctr" version
}

use_instance "$1"
use_running_kubernetes
NODE=$2
shift 2
HOME_FOLDER=$STATE/$NODE
INDEX=${NODE#node}
ADDRESS=$NODE_NETWORK.$INDEX
PATH=$BIN:$PATH # containerd looks for its shim there
join_cgroup "$NODE-system"

if ! process_of "$NODE-containerd" >/dev/null; then
    mountpoint -q /run/containerd || mount_own_folders
    write_containerd_config
    daemon "$NODE-containerd" "$BIN/containerd" -c "$HOME_FOLDER/containerd.toml"
    wait_for 30 "containerd of $NODE (its log: $STATE/log/$NODE-containerd.log)" containerd_answers
fi
for archive in "$@"; do
    timeout 120 "$BIN/ctr" -n k8s.io images import "$archive" >>"$STATE/log/$NODE-import.log" 2>&1 ||
        die "$NODE could not import $archive: $(tail -1 "$STATE/log/$NODE-import.log")"
done
if ! process_of "$NODE-kubelet" >/dev/null; then
    write_kubelet_config
    wait_for 60 "the API server, for $NODE" api_is_ready
    daemon "$NODE-kubelet" "$BIN/kubelet" --config="$HOME_FOLDER/kubelet.yaml" --kubeconfig="$KEEP/$NODE.kubeconfig" \
        --cert-dir="$HOME_FOLDER/certificates" --hostname-override="$NODE" --node-ip="$ADDRESS" \
        --node-labels="topology.kubernetes.io/zone=${ZONES[INDEX - 1]},topology.kubernetes.io/region=local"
fi
