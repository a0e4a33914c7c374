# shellcheck shell=bash
# What ./dev says. One line for each step with the time it took; long steps show how far they are:
# on one line of a terminal, every 20 s in a log.

# Steps may run beside each other, so the line that is on the terminal may be another step's.
clear_progress() {
    if [ -t 1 ]; then printf '\r\033[K'; fi
}

say() {
    clear_progress
    printf '%s\n' "$*"
}

die() {
    clear_progress
    printf 'dev: %s\n' "$*" >&2
    exit 1
}

now_ms() {
    local micros=${EPOCHREALTIME/[.,]/}
    printf '%s' "$((micros / 1000))"
}

# seconds_since MS: "12.3" for a moment that now_ms gave.
seconds_since() {
    local ms=$(($(now_ms) - $1))
    printf '%d.%d' "$((ms / 1000))" "$((ms % 1000 / 100))"
}

# step TEXT: begins a step; step_done [DETAIL] ends it with its duration.
step() {
    STEP_TEXT=$1
    STEP_START=$(now_ms)
    PROGRESS_LAST=$STEP_START
    if [ -t 1 ]; then
        progress "..."
    fi
}

step_done() {
    clear_progress
    printf '  %-28s %-60s %7s s\n' "$STEP_TEXT" "${1:-done}" "$(seconds_since "$STEP_START")"
}

# progress TEXT: how far the current step is.
progress() {
    if [ -t 1 ]; then
        printf '\r\033[K  %-28s %s' "$STEP_TEXT" "$1"
    elif [ $(($(now_ms) - PROGRESS_LAST)) -ge 20000 ]; then
        printf '  %-28s %s\n' "$STEP_TEXT" "$1"
        PROGRESS_LAST=$(now_ms)
    fi
}

# wait_for SECONDS WHAT COMMAND...: until the command succeeds; gives up with a sentence. The command must end by
# itself.
wait_for() {
    local limit=$1 what=$2 start
    shift 2
    start=$(now_ms)
    until "$@" >/dev/null 2>&1; do
        if [ $(($(now_ms) - start)) -ge $((limit * 1000)) ]; then
            die "waited $limit s for $what, in vain"
        fi
        sleep 0.1
    done
}
