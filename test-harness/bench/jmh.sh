#!/usr/bin/env bash
# jmh.sh MODULE CLASS [JMH ARGUMENTS]: compiles a module's tests and runs a benchmark that stands among them, with
# allocation figures. Not named after a benchmark: ./dev bench plan and ./dev bench log-encoder call it.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
module=$1
class=$2
shift 2
classpath=$(mktemp)
trap 'rm -f "$classpath"' EXIT

"$root/dev" maven -q -pl "$module" -am test-compile dependency:build-classpath \
    -Dmdep.includeScope=test -Dmdep.outputFile="$classpath" -Dspotless.check.skip=true
"$JAVA_HOME/bin/java" -cp "$root/$module/target/test-classes:$root/$module/target/classes:$(cat "$classpath")" \
    org.openjdk.jmh.Main "$class" -prof gc "$@"
