# shellcheck shell=bash
# Container images, made here because no registry is needed then: folders in, an OCI archive out, kept in the cache
# under a hash of what went in. Every image is a folder <cache>/images/<hash> with image.tar and the folder it came
# from.

IMAGE_TIME=1796083200 # of every file in every image: 2026-12-01, so that the same content gives the same image

IMAGE_RECIPES=(make_archive make_server_image add_shell make_pause_image unpack_debian make_operator_image
    build_operator make_base_layer make_runtime_layer make_aot_cache)

# What an image of the server needs of Debian.
SERVER_PACKAGES=(valkey-server valkey-tools libc6 libssl3t64 libsystemd0 liblzf1 libjemalloc2 libatomic1 libgcc-s1
    libstdc++6 libcap2 libzstd1 zlib1g)
# Which Debian suite has which version.
SERVER_IMAGES=("9.1.2 sid" "8.1.1 trixie")

# image_folder NAME INPUT...: the folder for an image of that name, made of these words by the functions named in
# IMAGE_RECIPES (bash prints a function without its comments, so only what they do counts).
image_folder() {
    local name=$1
    shift
    {
        cat "$LOCAL/image/mkimage.py"
        declare -f "${IMAGE_RECIPES[@]}"
        printf '%s\n' "$@"
    } | sha256sum | awk -v prefix="$CACHE/images/$name-" '{ print prefix substr($1, 1, 16) }'
}

# new_image_folder: one to make an image in, which is moved to its name when it is complete.
new_image_folder() {
    mkdir -p "$CACHE/images"
    mktemp -d "$CACHE/images/work.XXXXXX"
}

# make_archive FOLDER ARGUMENT...: mkimage.py's archive as FOLDER/image.tar.
make_archive() {
    local folder=$1
    shift
    python3 "$LOCAL/image/mkimage.py" --time "$IMAGE_TIME" --out "$folder/image.tar" "$@"
}

server_folder() {
    image_folder "valkey-$1" "$2" "${SERVER_PACKAGES[@]}"
}

pause_folder() {
    image_folder pause "$BIN"
}

# server_archives: the images of the supported server versions, one path a line.
server_archives() {
    local line version suite
    for line in "${SERVER_IMAGES[@]}"; do
        read -r version suite <<<"$line"
        echo "$(server_folder "$version" "$suite")/image.tar"
    done
}

ensure_server_images() {
    local line version suite folder made=()
    step "Server images"
    for line in "${SERVER_IMAGES[@]}"; do
        read -r version suite <<<"$line"
        folder=$(server_folder "$version" "$suite")
        if [ -e "$folder/image.tar" ]; then
            touch "$folder" # in use
        else
            progress "valkey $version from Debian $suite"
            with_lock "$CACHE/images.lock" 600 make_server_image "$version" "$suite" "$folder"
            made+=("$version")
        fi
    done
    step_done "valkey 9.1.2, 8.1.1: $([ ${#made[@]} -eq 0 ] && echo "made before" || echo "made ${made[*]}")"
}

make_server_image() {
    local version=$1 suite=$2 folder=$3 work found
    [ ! -e "$folder/image.tar" ] || return 0
    work=$(new_image_folder)
    unpack_debian "$suite" "$work/root" "${SERVER_PACKAGES[@]}"
    found=$(in_root "$work/root" valkey-server --version | sed -n 's/.* v=\([0-9.]*\) .*/\1/p')
    [ "$found" = "$version" ] ||
        die "Debian $suite now has valkey-server ${found:-of no version}, not $version:" \
            "set SERVER_IMAGES in $LOCAL/lib/images.sh, and deploy/samples, to it"
    add_shell "$work/root"
    mkdir -p "$work/root/tmp" "$work/root/data"
    chmod 1777 "$work/root/tmp" "$work/root/data"
    make_archive "$work" --name "docker.io/valkey/valkey:$version" --layer "$work/root"
    rm -rf "$folder"
    chmod 755 "$work"
    mv "$work" "$folder"
}

# in_root ROOT PROGRAM ARGUMENT...: runs a program of an unpacked Debian with its own libraries, without chroot, so
# that it sees this machine's files.
in_root() {
    local root=$1 program=$2
    shift 2
    "$root/usr/lib64/ld-linux-x86-64.so.2" --library-path "$root/usr/lib/x86_64-linux-gnu" --argv0 "$program" \
        "$root/usr/bin/$program" "$@"
}

# add_shell ROOT: busybox, for probes and for a look inside.
add_shell() {
    local applet
    cp /bin/busybox "$1/usr/bin/busybox"
    for applet in sh cat ls ps kill sleep env id grep head tail nslookup nc timeout date df du top vi; do
        [ -e "$1/usr/bin/$applet" ] || ln -s busybox "$1/usr/bin/$applet"
    done
}

# ensure_pause_image: needs the Kubernetes build.
ensure_pause_image() {
    local folder
    folder=$(pause_folder)
    [ -e "$folder/image.tar" ] || with_lock "$CACHE/images.lock" 600 make_pause_image "$folder"
}

make_pause_image() {
    local folder=$1 work
    [ ! -e "$folder/image.tar" ] || return 0
    work=$(new_image_folder)
    mkdir -p "$work/root"
    cp "$BIN/pause" "$work/root/pause"
    make_archive "$work" --name "$PAUSE_IMAGE" --layer "$work/root" --entrypoint /pause --user 65535:65535
    rm -rf "$folder"
    chmod 755 "$work"
    mv "$work" "$folder"
}
