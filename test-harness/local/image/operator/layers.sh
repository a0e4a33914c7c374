#!/bin/bash
# layers.sh CHECKOUT TARGET SECONDS: lays the built operator out as two image layers: TARGET/libraries, what others
# wrote and seldom changes, and TARGET/operator. Every file gets the time SECONDS since 1970, which the AOT cache
# remembers.
set -euo pipefail
checkout=$1 target=$2 time=$3
home=opt/valkey-operator
mkdir -p "$target/libraries/$home/lib" "$target/operator/$home/lib"
for jar in "$checkout"/operator-app/target/operator-app-*.jar "$checkout"/operator-app/target/lib/*.jar; do
    layer=libraries
    for module in core logging valkey-adapter k8s-adapter operator-app; do
        [[ ${jar##*/} != "$module"-[0-9]* ]] || layer=operator
    done
    cp "$jar" "$target/$layer/$home/lib/"
done
cp "$checkout/test-harness/local/image/operator/jvm.args" "$target/operator/$home/"
# The AOT cache is good for exactly this class path, so it is spelt out and sorted.
{
    echo "-cp"
    find "$target"/*/"$home/lib" -name '*.jar' -printf "/$home/lib/%f\n" | LC_ALL=C sort | paste -sd:
    echo com.gomomento.valkey.operator.app.Main
} >"$target/operator/$home/main.args"
find "$target/libraries" "$target/operator" -exec touch -d "@$time" {} +
