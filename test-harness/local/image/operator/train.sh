#!/bin/sh
# train.sh ROOT: runs the operator once inside ROOT, a folder that is the image's file system, in its training mode
# (no network), and leaves the AOT cache of what it loaded in ROOT/opt/valkey-operator/operator.aot.
# Must run in a mount namespace of its own.
set -eu
root=$1
mkdir -p "$root/proc" "$root/dev" "$root/tmp"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
# The run's own JVM makes the cache in a second one, which needs more than the operator's small heap.
timeout 120 env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin JDK_AOT_VM_OPTIONS="-Xmx512m" MALLOC_ARENA_MAX=1 \
    chroot --userspec=65532:65532 "$root" /opt/java/bin/java @/opt/valkey-operator/jvm.args \
    -XX:AOTCacheOutput=/tmp/operator.aot -Dvalkey.operator.training=true @/opt/valkey-operator/main.args
cp "$root/tmp/operator.aot" "$root/opt/valkey-operator/operator.aot"
