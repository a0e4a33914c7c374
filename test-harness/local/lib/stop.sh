# shellcheck shell=bash
# Ending an instance, in whatever state it is, without a process, mount, network namespace or cgroup left behind.

stop_instance() {
    step "Stop"
    if [ "$(instance_state)" = down ]; then
        step_done "instance '$NAME' does not run"
        return
    fi
    if inside_network_already; then
        die "'down' would end this very shell, which runs inside the cluster's network: call it from outside"
    fi
    clear_instance
    step_done "instance '$NAME' is gone; its logs are in $STATE/log"
}

clear_instance() {
    kill_processes
    unmount_leftovers
    remove_cgroups
    if [ -e "/run/netns/$ID" ]; then ip netns del "$ID"; fi
    remove_state
}

# All at once by SIGKILL: nothing of the state is wanted any more, and in no other order can one of them wait for
# another that is gone (an API server waits a minute for its etcd). Again and again, because a containerd or a kubelet
# may just have started something. One that is ending is no longer listed in its cgroup but still there for a moment, so
# those that were killed are waited for by themselves.
kill_processes() {
    local start pids pid
    local -A killed=()
    start=$(now_ms)
    while true; do
        mapfile -t pids < <(instance_processes)
        for pid in "${pids[@]}"; do
            if look_up "$pid"; then killed[$pid]=$PROCESS_START; fi
        done
        for pid in "${!killed[@]}"; do
            if ! look_up "$pid" || [ "$PROCESS_START" != "${killed[$pid]}" ]; then unset "killed[$pid]"; fi
        done
        [ ${#killed[@]} -gt 0 ] || return 0
        [ $(($(now_ms) - start)) -lt 20000 ] ||
            die "waited 20 s for processes to end, in vain: ${!killed[*]}"
        thaw_cgroups
        kill -KILL "${!killed[@]}" 2>/dev/null || true
        sleep 0.05
    done
}

# kill_node NODE: its daemons, then its pods, until none is left.
kill_node() {
    local node=$1 start pids
    start=$(now_ms)
    while true; do
        mapfile -t pids < <(node_processes "$node")
        [ ${#pids[@]} -gt 0 ] || return 0
        [ $(($(now_ms) - start)) -lt 20000 ] || die "waited 20 s for the processes of $node to end, in vain: ${pids[*]}"
        kill -KILL "${pids[@]}" 2>/dev/null || true
        sleep 0.05
    done
}

# A frozen cgroup's processes do not die.
thaw_cgroups() {
    local switch
    while read -r switch; do
        case $switch in
            */freezer.state) echo THAWED ;;
            *) echo 0 ;;
        esac 2>/dev/null >"$switch" || true
    done < <(find_groups "" -name freezer.state -o -name cgroup.freeze)
}

# The nodes' mounts are in namespaces of their own and go with their processes; this is for what someone else mounted.
unmount_leftovers() {
    local path
    awk -v state="$STATE/" 'index($2, state) == 1 { print $2 }' /proc/mounts | sort -r | while read -r path; do
        umount -l "$path"
    done
}

remove_cgroups() {
    local start
    start=$(now_ms)
    while [ "$(find_groups "" -type d -print -quit)" ]; do
        find_groups "" -type d -exec rmdir {} + || true
        [ $(($(now_ms) - start)) -lt 10000 ] ||
            die "waited 10 s for cgroups to empty, in vain: $(find_groups "" -type d -print -quit)"
    done
}

# All but logs and what outlives 'down'. run/ goes last: as long as it is there, 'down' knows that there is work to
# do.
remove_state() {
    local path
    for path in "$STATE"/* "$STATE/run"; do
        case $path in
            "$STATE/log" | "$KEEP") ;;
            "$STATE/run") ;;
            *) rm -rf --one-file-system "$path" ;;
        esac
    done
    rm -rf --one-file-system "$STATE/run"
}
