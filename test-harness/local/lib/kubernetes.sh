# shellcheck shell=bash
# Kubernetes, etcd, containerd and CoreDNS, built from the one go.mod in test-harness/local/kubernetes.

# Of a cold build on two cores, only for the estimate that is shown: how long it takes, and when (in thousandths of
# that time) how many packages (in thousandths) are compiled. The large ones come late.
COLD_BUILD_SECONDS=500
COLD_BUILD_PACE="0:0 120:240 310:460 490:580 670:760 900:910 1000:1000"
GO_BUILD_FLAGS=(-trimpath -buildvcs=false)
GO_PACKAGES=(tool ./coredns ./pause)

# use_kubernetes: sets BIN to where this checkout's components are or will be.
use_kubernetes() {
    local sources
    sources=$(cd "$LOCAL/kubernetes" && find . -type f | LC_ALL=C sort | xargs sha256sum)
    BIN=$CACHE/kubernetes/$(printf '%s\n' "$sources" "$(version_flags)" | sha256sum | cut -c1-16)
}

# use_running_kubernetes: sets BIN to what the running instance was started from, whatever this checkout has by now.
use_running_kubernetes() {
    BIN=$(cat "$STATE/run/bin" 2>/dev/null) || die "instance '$NAME' does not run: ./dev$(name_option) up"
}

ensure_kubernetes() {
    use_kubernetes
    step "Kubernetes $KUBERNETES_VERSION"
    if [ -e "$BIN/complete" ]; then
        step_done "built before"
    else
        ensure_go
        step "Kubernetes $KUBERNETES_VERSION"
        with_lock "$CACHE/kubernetes.lock" 3600 build_kubernetes
        step_done "built"
    fi
}

build_kubernetes() {
    local log=$CACHE/log/kubernetes-build.log unfinished=$BIN.unfinished pid start all left
    [ ! -e "$BIN/complete" ] || return 0 # another ./dev built it while this one waited
    mkdir -p "$CACHE/log" "$unfinished"
    progress "finding out what is to be compiled (the first time: fetching modules)"
    read -r all left < <(count_packages)
    [ "$all" -gt 0 ] || die "Go cannot work with $LOCAL/kubernetes: $(tail -1 "$CACHE/log/go-list.log")"
    (cd "$LOCAL/kubernetes" && exec timeout --foreground 5400 nice -n 5 "$GO" build -v "${GO_BUILD_FLAGS[@]}" \
        -ldflags "$(version_flags)" -o "$unfinished/" "${GO_PACKAGES[@]}") >"$log" 2>&1 9>&- &
    pid=$!
    trap 'kill "$pid" 2>/dev/null' EXIT
    start=$(now_ms)
    while kill -0 "$pid" 2>/dev/null; do
        kill -0 $$ 2>/dev/null || exit 1 # ./dev itself was ended; this is a part of it with a life of its own
        progress "$(build_progress "$log" $((($(now_ms) - start) / 1000)) "$all" "$left")"
        sleep 1
    done
    wait "$pid" ||
        die "the Kubernetes build failed with status $?: $(grep -v '^go: downloading' "$log" | tail -3) (see $log)"
    trap - EXIT
    mv "$unfinished/server" "$unfinished/etcd" # go.etcd.io/etcd/server/v3 names its program so
    touch "$unfinished/complete"
    rm -rf "$BIN"
    mv "$unfinished" "$BIN"
    # 600 MB each: this one and the one before are enough.
    find "$CACHE/kubernetes" -maxdepth 1 -mindepth 1 -type d -printf '%T@ %p\n' | sort -rn | tail -n +3 |
        while read -r _ folder; do rm -rf "$folder"; done
}

# count_packages: how many there are in all, and how many of them Go's cache does not have.
count_packages() {
    cd "$LOCAL/kubernetes"
    "$GO" list "${GO_BUILD_FLAGS[@]}" -deps -f '{{.Stale}} {{.StaleReason}}' "${GO_PACKAGES[@]}" \
        2>"$CACHE/log/go-list.log" |
        awk '/^true/ && !/available in build cache/ { left++ } END { print NR, left + 0 }'
}

# The server calls itself v0.0.0 without these.
version_flags() {
    local package=k8s.io/component-base/version minor=${KUBERNETES_VERSION#*.}
    printf -- '-s -w -X %s.gitVersion=v%s -X %s.gitMajor=%s -X %s.gitMinor=%s' "$package" "$KUBERNETES_VERSION" \
        "$package" "${KUBERNETES_VERSION%%.*}" "$package" "${minor%%.*}"
}

# build_progress LOG SECONDS ALL LEFT: what is being built and how far, of ALL packages of which LEFT were not there
# when it began, and an estimate that the speed so far corrects.
build_progress() {
    local log=$1 elapsed=$2 all=$3 compiled current begin now left minutes
    compiled=$(grep -c -v '^go: ' "$log" || true)
    current=$(tail -1 "$log")
    begin=$(build_time_share $(((all - $4) * 1000 / all)))
    now=$(build_time_share $(((all - $4 + compiled) * 1000 / all)))
    # Seconds: at the usual speed until there is a speed to reckon with.
    left=$((COLD_BUILD_SECONDS * (1000 - now) / 1000))
    if [ $((now - begin)) -ge 15 ]; then left=$((elapsed * (1000 - now) / (now - begin))); fi
    if [ "$compiled" -ge "$4" ] || [ "$left" -lt 45 ]; then
        printf '%d of %d packages, then linking: about a minute left' $((all - $4 + compiled)) "$all"
    else
        minutes=$(((left + 59) / 60))
        printf '%d of %d packages, about %d min left: %s' $((all - $4 + compiled)) "$all" $minutes "${current:0:60}"
    fi
}

# build_time_share THOUSANDTHS: of the packages that are done, what share of the time that takes, in thousandths.
build_time_share() {
    local point time share last_time=0 last_share=0
    for point in $COLD_BUILD_PACE; do
        time=${point%:*} share=${point#*:}
        if [ "$1" -le "$share" ] && [ "$share" -gt "$last_share" ]; then
            echo $((last_time + (time - last_time) * ($1 - last_share) / (share - last_share)))
            return
        fi
        last_time=$time last_share=$share
    done
    echo 1000
}
