# shellcheck shell=bash
# Everything, in the order in which it leans on each other. Whoever sources this has set ROOT to the checkout.

shopt -s inherit_errexit

# shellcheck source=test-harness/local/lib/say.sh
. "$ROOT/test-harness/local/lib/say.sh"
# shellcheck source=test-harness/local/lib/names.sh
. "$ROOT/test-harness/local/lib/names.sh"
# shellcheck source=test-harness/local/lib/process.sh
. "$ROOT/test-harness/local/lib/process.sh"
# shellcheck source=test-harness/local/lib/packages.sh
. "$ROOT/test-harness/local/lib/packages.sh"
# shellcheck source=test-harness/local/lib/toolchain.sh
. "$ROOT/test-harness/local/lib/toolchain.sh"
# shellcheck source=test-harness/local/lib/kubernetes.sh
. "$ROOT/test-harness/local/lib/kubernetes.sh"
# shellcheck source=test-harness/local/lib/images.sh
. "$ROOT/test-harness/local/lib/images.sh"
# shellcheck source=test-harness/local/lib/operator.sh
. "$ROOT/test-harness/local/lib/operator.sh"
# shellcheck source=test-harness/local/lib/keys.sh
. "$ROOT/test-harness/local/lib/keys.sh"
# shellcheck source=test-harness/local/lib/start.sh
. "$ROOT/test-harness/local/lib/start.sh"
# shellcheck source=test-harness/local/lib/stop.sh
. "$ROOT/test-harness/local/lib/stop.sh"
# shellcheck source=test-harness/local/lib/deploy.sh
. "$ROOT/test-harness/local/lib/deploy.sh"
# shellcheck source=test-harness/local/lib/commands.sh
. "$ROOT/test-harness/local/lib/commands.sh"
# shellcheck source=test-harness/local/lib/tests.sh
. "$ROOT/test-harness/local/lib/tests.sh"
