# shellcheck shell=bash
# The instance's processes, cgroups and network. A process belongs to the instance if it is in its cgroup, or in its
# network namespace, or recorded under run/ with the same start time: never because of its name.

read -r BOOT_ID </proc/sys/kernel/random/boot_id

# look_up PID: sets PROCESS_START to what tells this process from a later one with the same number; fails if there is
# no live one. (Starts no process itself: it is called for hundreds.)
look_up() {
    local stat
    { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
    stat=${stat##*) }
    # shellcheck disable=SC2086 # fields, of which the first is the state and the twentieth the start in clock ticks
    set -- $stat
    [ "$1" != Z ] && [ "$1" != X ] || return 1
    PROCESS_START=${20}-$BOOT_ID
}

record_process() {
    look_up "$2" || PROCESS_START=ended
    echo "$2 $PROCESS_START" >"$STATE/run/$1.pid"
}

# process_of NAME: the pid of a recorded process, if it lives.
process_of() {
    local pid start
    { read -r pid start <"$STATE/run/$1.pid"; } 2>/dev/null || return 1
    if ! look_up "$pid" || [ "$PROCESS_START" != "$start" ]; then return 1; fi
    echo "$pid"
}

# daemon NAME COMMAND...: starts a process that outlives ./dev. It must not inherit ./dev's lock, terminal or proxies.
daemon() {
    local name=$1
    shift
    mkdir -p "$STATE/tmp"
    env -u http_proxy -u https_proxy -u HTTP_PROXY -u HTTPS_PROXY TMPDIR="$STATE/tmp" setsid "$@" \
        >>"$STATE/log/$name.log" 2>&1 </dev/null 9>&- &
    record_process "$name" $!
}

# cgroup_hierarchies: the mount points of all cgroup hierarchies: one for version 2, one a controller for version 1.
cgroup_hierarchies() {
    awk '$3 == "cgroup" || $3 == "cgroup2" { print $2 }' /proc/mounts | sort -u
}

is_cgroup_v2() {
    [ -e /sys/fs/cgroup/cgroup.controllers ]
}

# make_cgroups NODE...: the instance's group, in it one for each node's pods, one for each node's daemons, and one for
# everything else.
make_cgroups() {
    local hierarchy node
    while read -r hierarchy; do
        for node in "$@"; do
            mkdir -p "$hierarchy/$ID/$node" "$hierarchy/$ID/$node-system"
        done
        mkdir -p "$hierarchy/$ID/system"
        if is_cgroup_v2; then
            delegate_controllers "$hierarchy"
        elif [ -e "$hierarchy/cpuset.cpus" ]; then
            find "$hierarchy/$ID" -type d | sort | while read -r group; do
                cat "$hierarchy/cpuset.cpus" >"$group/cpuset.cpus"
                cat "$hierarchy/cpuset.mems" >"$group/cpuset.mems"
            done
        fi
    done < <(cgroup_hierarchies)
}

# Version 2: a group has only the controllers that its parent hands down.
delegate_controllers() {
    local controller group
    for group in "$1" "$1/$ID"; do
        for controller in cpuset cpu io memory pids; do
            echo "+$controller" >"$group/cgroup.subtree_control" 2>/dev/null ||
                grep -qw "$controller" "$group/cgroup.subtree_control" ||
                die "cgroup $group does not hand down '$controller', which kubelet needs. On a Kubernetes cluster of" \
                    "your own: kubectl apply -f deploy/crds/ -f deploy/operator.yaml"
        done
    done
}

# join_cgroup GROUP: moves this shell, and so all it starts, into a group of the instance. With version 1 one
# hierarchy is enough to find the processes again, and the rest of the accounting stays as it was.
join_cgroup() {
    local hierarchy
    for hierarchy in /sys/fs/cgroup /sys/fs/cgroup/pids /sys/fs/cgroup/systemd /sys/fs/cgroup/memory; do
        if [ -e "$hierarchy/$ID/$1/cgroup.procs" ]; then
            echo $BASHPID >"$hierarchy/$ID/$1/cgroup.procs"
            return
        fi
    done
    die "no cgroup hierarchy with a group $ID/$1"
}

# find_groups GROUP ARGUMENT...: find over a group of the instance in every hierarchy; "" is all of them.
find_groups() {
    local group=$1 hierarchy folders=()
    shift
    while read -r hierarchy; do
        [ ! -d "$hierarchy/$ID/$group" ] || folders+=("$hierarchy/$ID${group:+/$group}")
    done < <(cgroup_hierarchies)
    # What is being removed at this moment makes find complain.
    [ ${#folders[@]} -eq 0 ] || find "${folders[@]}" -depth "$@" 2>/dev/null || true
}

# group_processes GROUP: the live processes in a group of the instance and below it.
group_processes() {
    find_groups "$1" -name cgroup.procs -exec cat {} + | only_live
}

# node_daemons NODE: containerd, kubelet and the containers' shims, which all are in the node's mount namespace.
node_daemons() {
    group_processes "$1-system"
}

# node_processes NODE: all of it, with the containers.
node_processes() {
    group_processes "$1-system"
    group_processes "$1"
}

# only_live: of the pids on stdin, those of live processes, each once. (A process of another pid namespace is shown as
# 0.)
only_live() {
    local pid
    sort -un | while read -r pid; do
        if [ "$pid" != 0 ] && look_up "$pid"; then echo "$pid"; fi
    done
}

# instance_processes: every live process of the instance, one pid a line.
instance_processes() {
    local file
    {
        find_groups "" -name cgroup.procs -exec cat {} +
        if [ -e "/run/netns/$ID" ]; then ip netns pids "$ID" 2>/dev/null || true; fi
        for file in "$STATE"/run/*.pid; do
            file=${file##*/}
            process_of "${file%.pid}" || true
        done
    } | only_live
}

# in_network COMMAND...: runs a command in the instance's network, seeing this machine's files. Not "ip netns exec":
# that remounts /sys, and kubelet and runc then no longer find the cgroups.
in_network() {
    nsenter --net="/run/netns/$ID" -- "$@"
}

inside_network_already() {
    [ -e "/run/netns/$ID" ] && [ "$(stat -Lc %i /proc/self/ns/net)" = "$(stat -Lc %i "/run/netns/$ID")" ]
}
