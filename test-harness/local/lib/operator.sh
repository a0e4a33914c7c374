# shellcheck shell=bash
# The operator's image: a small Debian, a Java runtime with the modules it needs, its libraries, itself and an AOT
# cache. deploy/Dockerfile takes the same steps for those who have Docker.

OPERATOR_MODULES=(core logging valkey-adapter k8s-adapter operator-app)
OPERATOR_BASE_SUITE=sid # also fits a JDK unpacked from there
OPERATOR_BASE_PACKAGES=(libc6 libgcc-s1 libstdc++6 zlib1g)

# operator_sources: everything that decides what the operator's image holds.
operator_sources() {
    local module
    (
        cd "$ROOT"
        echo pom.xml
        for module in "${OPERATOR_MODULES[@]}"; do
            echo "$module/pom.xml"
            [ ! -d "$module/src/main" ] || find "$module/src/main" -type f
        done
        find test-harness/local/image/operator -type f
    ) | LC_ALL=C sort
}

# operator_image_name: the one in the manifest, so that what is made here is what the Deployment asks for.
operator_image_name() {
    local name
    name=$(awk '$1 == "image:" && /valkey-operator/ { gsub(/"/, "", $2); print $2; exit }' "$ROOT/deploy/operator.yaml")
    [ "$name" ] || die "deploy/operator.yaml names no image of the operator"
    echo "$name"
}

# operator_folder: of the image of this checkout's sources.
operator_folder() {
    local hash file
    hash=$(cd "$ROOT" && operator_sources | while read -r file; do printf '%s\n' "$file" && cat "$file"; done | sha256sum)
    image_folder operator "$hash" "$(operator_image_name)" "$(cat "$JAVA_HOME/release")"
}

# ensure_operator_image FOLDER: the one that operator_folder gave. Neither Maven nor anything else runs if the sources
# were built before, by whichever checkout.
ensure_operator_image() {
    local folder=$1
    step "Operator image"
    if [ -e "$folder/image.tar" ]; then
        touch "$folder"
        step_done "unchanged"
        return
    fi
    with_lock "$CACHE/operator.lock" 1800 make_operator_image "$folder"
    step_done "$(operator_image_name), $(cat "$folder/note")"
}

make_operator_image() {
    local folder=$1 work base runtime
    [ ! -e "$folder/image.tar" ] || return 0
    progress "compiling the operator"
    build_operator
    [ "$(operator_folder)" = "$folder" ] ||
        die "the operator's sources were changed while they were compiled; try again"
    progress "making the runtime"
    base=$(image_folder base "$OPERATOR_BASE_SUITE" "${OPERATOR_BASE_PACKAGES[@]}")
    runtime=$(image_folder runtime "$(cat "$JAVA_HOME/release" "$LOCAL/image/operator/modules")")
    [ -d "$base" ] || make_base_layer "$base"
    [ -d "$runtime" ] || make_runtime_layer "$runtime"
    work=$(new_image_folder)
    "$LOCAL/image/operator/layers.sh" "$ROOT" "$work" "$IMAGE_TIME"
    progress "training run for the AOT cache"
    make_aot_cache "$work" "$base" "$runtime"
    progress "packing"
    make_archive "$work" --name "$(operator_image_name)" --layer "$base" --layer "$runtime" --layer "$work/libraries" \
        --layer "$work/operator" --user 65532:65532 --env MALLOC_ARENA_MAX=1 --env JAVA_HOME=/opt/java \
        --entrypoint /opt/java/bin/java --entrypoint @/opt/valkey-operator/java.args
    rm -rf "${work:?}/libraries" "$work/operator" "$work/root"
    chmod 755 "$work"
    rm -rf "$folder"
    mv "$work" "$folder"
    tidy_images
}

# tidy_images: every change of the sources makes an image of more than 100 MB, so the last five of each kind are kept.
# What a build that was killed left behind goes too.
tidy_images() {
    local kind
    find "$CACHE/images" -maxdepth 1 -name 'work.*' -mmin +60 -exec rm -rf {} +
    for kind in operator base runtime pause valkey; do
        find "$CACHE/images" -maxdepth 1 -name "$kind-*" -type d -printf '%T@ %p\n' | sort -rn | tail -n +6 |
            while read -r _ folder; do rm -rf "$folder"; done
    done
}

# maven ARGUMENT...: quiet but for errors, in the JDK that the formatter and the compiler plug-ins need.
maven() {
    (cd "$ROOT" && MAVEN_OPTS="--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED ${MAVEN_OPTS:-}" \
        timeout --foreground 3600 mvn -B -ntp "$@" 9>&-)
}

build_operator() {
    local log=$CACHE/log/maven.log
    mkdir -p "$CACHE/log"
    # Jars of an earlier build would stay in the folders that the image takes.
    rm -rf "$ROOT/operator-app/target/lib" "$ROOT"/operator-app/target/*.jar
    maven -q -pl operator-app -am package -Dmaven.test.skip=true -DskipUnitTests -Dspotless.check.skip=true >"$log" 2>&1 ||
        die "the operator does not build (see $log): $(sed 's/\x1b\[[0-9;]*m//g' "$log" | grep '^\[ERROR\] .' | head -3)"
}

make_base_layer() {
    local work
    work=$(new_image_folder)
    unpack_debian "$OPERATOR_BASE_SUITE" "$work" "${OPERATOR_BASE_PACKAGES[@]}"
    mkdir -p "$work/etc" "$work/tmp" "$work/proc" "$work/dev"
    chmod 1777 "$work/tmp"
    echo 'operator:x:65532:65532::/tmp:/nonexistent' >"$work/etc/passwd"
    echo 'operator:x:65532:' >"$work/etc/group"
    rm -rf "$work"/usr/lib/x86_64-linux-gnu/gconv
    chmod 755 "$work"
    mv "$work" "$1"
}

# The JDK's own launcher finds its libraries beside itself; that it has no jmods folder does not matter.
make_runtime_layer() {
    local work
    work=$(new_image_folder)
    mkdir -p "$work/opt"
    "$JAVA_HOME/bin/jlink" --add-modules "$(paste -sd, "$LOCAL/image/operator/modules")" --no-header-files \
        --no-man-pages --output "$work/opt/java" >"$CACHE/log/jlink.log" 2>&1 ||
        die "jlink failed: $(head -3 "$CACHE/log/jlink.log")"
    find "$work" -exec touch -h -d "@$IMAGE_TIME" {} +
    chmod 755 "$work"
    mv "$work" "$1"
}

# make_aot_cache WORK BASE RUNTIME: adds the AOT cache, and the file that the entry point names, to WORK/operator.
make_aot_cache() {
    local work=$1 layer home=opt/valkey-operator
    mkdir "$work/root"
    for layer in "$2" "$3" "$work/libraries" "$work/operator"; do cp -al "$layer/." "$work/root/"; done
    if unshare --mount --net "$LOCAL/image/operator/train.sh" "$work/root" >"$CACHE/log/aot.log" 2>&1; then
        cp "$work/root/$home/operator.aot" "$work/operator/$home/"
        echo "with an AOT cache" >"$work/note"
    else
        echo "without an AOT cache: the training run failed (see $CACHE/log/aot.log)" >"$work/note"
    fi
    # The cache's own argument stands between the two, if there is a cache.
    {
        cat "$work/operator/$home/jvm.args"
        [ ! -e "$work/operator/$home/operator.aot" ] || echo "-XX:AOTCache=/$home/operator.aot"
        cat "$work/operator/$home/main.args"
    } >"$work/operator/$home/java.args"
}
