# shellcheck shell=bash
# JDK 25 and Go 1.26: those of this machine where they are, else Debian packages, installed where this Debian has
# them and otherwise unpacked from Debian sid beside the libraries they were built for.

# find_jdk25: prints the home of a JDK 25 (with a compiler), or fails.
find_jdk25() {
    local home
    for home in "${JAVA_HOME:-}" /usr/lib/jvm/*25* "$CACHE"/jdk25/usr/lib/jvm/java-25-openjdk-amd64; do
        if [ -x "$home/bin/javac" ] && grep -q '^JAVA_VERSION="25' "$home/release" 2>/dev/null; then
            readlink -f "$home"
            return
        fi
    done
    return 1
}

# find_go: prints the command of a Go 1.26 or later, or fails.
find_go() {
    local go
    for go in "$(command -v go)" /usr/local/go/bin/go /usr/lib/go-1.*/bin/go "$CACHE"/go/usr/lib/go-1.26/bin/go; do
        if [ -x "$go" ] && GOTOOLCHAIN=local "$go" version 2>/dev/null | grep -E 'go1\.(2[6-9]|[3-9][0-9])' >/dev/null; then
            echo "$go"
            return
        fi
    done
    return 1
}

# has_package PACKAGE: whether this Debian has it.
has_package() {
    [[ $(apt-cache policy "$1" 2>/dev/null) == *"Candidate: "[0-9]* ]]
}

# ensure_jdk25: sets and exports JAVA_HOME.
ensure_jdk25() {
    if ! JAVA_HOME=$(find_jdk25); then
        step "JDK 25"
        if has_package openjdk-25-jdk-headless; then
            with_lock "$CACHE/apt.lock" 600 install_packages openjdk-25-jdk-headless
        else
            with_lock "$CACHE/jdk25.lock" 900 unpack_foreign jdk25 openjdk-25-jdk-headless openjdk-25-jre-headless \
                libc6 zlib1g libgcc-s1 libstdc++6 libjpeg62-turbo liblcms2-2 libfontconfig1 libfreetype6
        fi
        JAVA_HOME=$(find_jdk25) || die "no JDK 25 could be had; install one and set JAVA_HOME"
        step_done "$JAVA_HOME"
    fi
    export JAVA_HOME
}

# ensure_go: sets GO.
ensure_go() {
    if ! GO=$(find_go); then
        step "Go 1.26"
        if has_package golang-1.26-go; then
            with_lock "$CACHE/apt.lock" 600 install_packages golang-1.26-go
        else
            with_lock "$CACHE/go.lock" 900 unpack_foreign go golang-1.26-go golang-1.26-src libc6
        fi
        GO=$(find_go) || die "no Go 1.26 could be had; install one and put it on the PATH"
        step_done "$GO"
    fi
}

# unpack_foreign NAME PACKAGE...: sid's packages in the cache, every program in them tied to sid's loader and
# libraries there, because those of an older Debian lack symbols that they need.
unpack_foreign() {
    local name=$1 dest=$CACHE/$1 work
    shift
    [ ! -d "$dest" ] || return 0
    # Debian's JDK trusts the machine's certificates.
    [ -e /etc/ssl/certs/java/cacerts ] || install_packages ca-certificates-java
    command -v patchelf >/dev/null || install_packages patchelf
    work=$(mktemp -d "$CACHE/$name.XXXXXX")
    unpack_debian sid "$work" "$@"
    tie_to_libraries "$work" "$dest"
    mv "$work" "$dest"
}

# tie_to_libraries ROOT LATER: for programs that lie in ROOT now and in LATER when they run.
tie_to_libraries() {
    local root=$1 later=$2 file target libraries=usr/lib/x86_64-linux-gnu
    while IFS= read -r -d '' file; do
        if patchelf --print-interpreter "$file" >/dev/null 2>&1; then
            patchelf --set-interpreter "$later/$libraries/ld-linux-x86-64.so.2" --force-rpath \
                --add-rpath "$later/$libraries" "$file"
        fi
    done < <(find "$root/usr/lib" -path "*/$libraries/*" -prune -o -type f -perm -100 -print0)
    # Links to /etc and the like mean what came with the packages, where it came with them.
    find "$root" -type l -lname '/*' | while read -r file; do
        target=$(readlink "$file")
        [ ! -e "$root$target" ] || ln -sfn "$later$target" "$file"
    done
}
