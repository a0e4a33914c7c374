# shellcheck shell=bash
# Debian packages: installed when they are tools of this machine, unpacked into the cache when they are only
# material for images or newer than this Debian.

# Each line: what to look for (a command, or a file), the package that brings it.
TOOL_PACKAGES="
ip iproute2
nsenter util-linux
socat socat
/usr/lib/cni/bridge containernetworking-plugins
/usr/sbin/runc runc
/bin/busybox busybox-static
openssl openssl
curl curl
nft nftables
python3 python3
jq jq
mvn maven
"

require_debian_root() {
    local why=""
    [ "$(uname -s)" = Linux ] || why="this is not Linux"
    [ "$why" ] || command -v apt-get >/dev/null || why="this is not Debian (no apt-get)"
    [ "$why" ] || [ "$(dpkg --print-architecture)" = amd64 ] || why="this machine is not amd64"
    [ "$why" ] || [ "$(id -u)" = 0 ] || why="this needs root (network namespaces, cgroups, apt-get)"
    [ -z "$why" ] ||
        die "$why. On a Kubernetes cluster of your own:" \
            "kubectl apply -f deploy/crds/ -f deploy/operator.yaml, then a sample from deploy/samples"
}

# is_there THING: a command or an absolute path.
is_there() {
    case $1 in
        /*) [ -e "$1" ] ;;
        *) command -v "$1" >/dev/null ;;
    esac
}

# install_packages PACKAGE...: with one apt-get update a run, and silent unless it fails.
install_packages() {
    local log=$CACHE/log/apt.log
    mkdir -p "$CACHE/log"
    if [ "${APT_UPDATED:-0}" = 0 ]; then
        timeout --foreground 300 apt-get update >"$log" 2>&1 ||
            say "  apt-get update failed (see $log); trying with the lists at hand"
        APT_UPDATED=1
    fi
    DEBIAN_FRONTEND=noninteractive timeout --foreground 1200 \
        apt-get install -y --no-install-recommends "$@" >>"$log" 2>&1 9>&- ||
        die "apt-get install $* failed: $(grep -m1 '^E:' "$log") (all of it: $log)"
}

# ensure_tools: installs what is missing of TOOL_PACKAGES.
ensure_tools() {
    local probe package missing=()
    step "Debian packages"
    while read -r probe package; do
        [ -z "$probe" ] || is_there "$probe" || missing+=("$package")
    done <<<"$TOOL_PACKAGES"
    if [ ${#missing[@]} -eq 0 ]; then
        step_done "all there"
    else
        with_lock "$CACHE/apt.lock" 600 install_packages "${missing[@]}"
        step_done "installed ${missing[*]}"
    fi
}

debian_mirror() {
    apt-get indextargets --format "\$(SITE)" 2>/dev/null | grep -E '/debian/?$' | sort -u | sed -n 1p
}

# debian_apt SUITE ARGUMENT...: apt-get with lists and sources of its own for another suite, nothing installed.
debian_apt() {
    local suite=$1 home=$CACHE/apt/$1 mirror
    shift
    if [ ! -e "$home/sources.list" ]; then
        mkdir -p "$home/lists/partial" "$home/archives/partial"
        mirror=$(debian_mirror)
        [ "$mirror" ] || die "apt's sources name no Debian mirror, so Debian $suite cannot be reached"
        echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >"$home/sources.list"
    fi
    timeout --foreground 600 apt-get -qq -o Dir::State::lists="$home/lists" -o Dir::Cache="$home" \
        -o Dir::Etc::sourcelist="$home/sources.list" -o Dir::Etc::sourceparts=- \
        -o APT::Get::List-Cleanup=0 -o APT::Sandbox::User=root -o Acquire::Languages=none "$@"
}

# unpack_debian SUITE DEST PACKAGE...: the packages' files under DEST, which then has Debian's merged /usr layout.
unpack_debian() {
    local suite=$1 dest=$2 downloads package folder wanted=()
    shift 2
    for package in "$@"; do wanted+=("$package/$suite"); done
    debian_apt "$suite" update
    downloads=$(mktemp -d "$CACHE/apt/$suite/download.XXXXXX")
    (cd "$downloads" && debian_apt "$suite" download "${wanted[@]}")
    mkdir -p "$dest/usr/bin" "$dest/usr/sbin" "$dest/usr/lib" "$dest/usr/lib64"
    for folder in bin sbin lib lib64; do ln -sfn "usr/$folder" "$dest/$folder"; done
    for package in "$downloads"/*.deb; do dpkg -x "$package" "$dest"; done
    rm -rf "$downloads" "$dest"/usr/share/{doc,man,locale,lintian,bug}
}
