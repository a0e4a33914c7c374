#!/usr/bin/env bash
# Compiles code that returns null where it may not, with the build's own compiler settings. Succeeds only if the compiler
# refuses it for that reason: a null check that was switched off by accident would otherwise go unnoticed.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
log=$(mktemp)
trap 'rm -f "$log"' EXIT

if mvn -B -ntp -f "$here/pom.xml" clean compile >"$log" 2>&1; then
    echo "canary: the compiler accepted code that returns null; Error Prone with NullAway is not at work" >&2
    exit 1
fi
if ! grep -q '\[NullAway\] returning @Nullable expression' "$log"; then
    echo "canary: the build failed for another reason than the null check:" >&2
    cat "$log" >&2
    exit 1
fi
echo "canary: the null check refuses what it must"
