# shellcheck shell=bash
# Where everything lives, and what everything of one instance is called. Nothing is ever written into the checkout
# but Maven's target folders: what can be made again is in the cache, shared by all checkouts and instances;
# what belongs to a running instance is in its state folder.

LOCAL=$ROOT/test-harness/local
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/valkey-operator
STATES=${XDG_STATE_HOME:-$HOME/.local/state}/valkey-operator

KUBERNETES_VERSION=1.37.2
ALL_NODES=(node1 node2 node3)
NODE_NETWORK=10.0.0         # node1 is .1, which is also where the cluster's DNS listens
SERVICE_ADDRESS=10.96.0.1   # of the Service "kubernetes"
DNS_ADDRESS=$NODE_NETWORK.1
PAUSE_IMAGE=docker.io/local/pause:1

# use_instance NAME: sets what is derived from the instance's name.
use_instance() {
    NAME=$1
    [[ $NAME =~ ^[a-z][a-z0-9-]{0,19}$ ]] ||
        die "--name '$NAME': allowed are up to 20 lower-case letters, digits and '-', a letter first"
    STATE=$STATES/$NAME
    ID=valkey-operator-$NAME # the network namespace, the cgroup and the kubectl context
    KEEP=$STATE/keep         # outlives 'down': port, keys and kubeconfig, so that an IDE set up once goes on working
    ADMIN_KUBECONFIG=$KEEP/kubeconfig
    # A Unix socket's path has at most 107 bytes; the longest is <state>/node1/run/containerd.sock.
    [ ${#STATE} -le 75 ] ||
        die "the state folder's path is too long for Unix sockets (${#STATE} characters, at most 75): $STATE;" \
            "set XDG_STATE_HOME"
}

# What to put into a command line that is shown, so that it reaches this instance.
name_option() {
    [ "$NAME" = dev ] || printf ' --name %s' "$NAME"
}

# with_lock FILE SECONDS COMMAND...: one at a time on this machine. The lock is on descriptor 9, which daemons must
# not inherit.
with_lock() {
    local file=$1 limit=$2
    shift 2
    mkdir -p "$(dirname "$file")"
    (
        exec 9>>"$file"
        if ! flock -n 9; then
            say "  another ./dev holds $file; waiting for it (up to $limit s)"
            flock -w "$limit" 9 || die "another ./dev has held $file for $limit s; end it and try again"
        fi
        "$@"
    )
}
