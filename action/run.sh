#!/usr/bin/env bash
# Fuzzes a solver by 'squall ci', and writes reports for CI systems: SARIF, JUnit, a summary in Markdown, the findings.
#
# It reads its inputs from the environment, named as in action.yml (solver: INPUT_SOLVER), and also runs by hand and in other systems:
#
#     INPUT_SOLVER=./build/z3 INPUT_BASELINE=z3@latest INPUT_MINUTES=10 action/run.sh
#
# The exit code is that of 'squall ci'. Bash 3.2 is enough.
set -uo pipefail

solver=${INPUT_SOLVER-}
baseline=${INPUT_BASELINE-}
minutes=${INPUT_MINUTES:-10}
fail_on=${INPUT_FAIL_ON:-A,B,X,D}
known=${INPUT_KNOWN-}
seeds=${INPUT_SEEDS-}
campaign_seed=${INPUT_CAMPAIGN_SEED:-0}
config=${INPUT_CONFIG-}
changed=${INPUT_CHANGED-}
map=${INPUT_MAP-}
counted=${INPUT_COUNTED-}
options=${INPUT_OPTIONS-}
out=${INPUT_OUT:-squall-ci}
program=${INPUT_PROGRAM:-squall}

# show TEXT: appends to the summary of the job, if there is one.
show() {
    if [ -n "${GITHUB_STEP_SUMMARY-}" ]; then printf '%s\n' "$1" >>"$GITHUB_STEP_SUMMARY"; fi
}

# output NAME VALUE: an output of the step.
output() {
    if [ -n "${GITHUB_OUTPUT-}" ]; then printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"; fi
}

# fail CODE TEXT: reports a failure, which is already on standard error, to the job, and exits.
fail() {
    # A line of this form marks the step on the job's page. Its text is one line, and escapes start with a percent sign.
    if [ -n "${GITHUB_ACTIONS-}" ]; then
        local text=${2//'%'/%25}
        printf '::error title=squall::%s\n' "${text//$'\n'/%0A}"
    fi
    show "## Squall: failed"
    show ""
    # Indented text is shown unchanged.
    show "$(printf '%s\n' "$2" | sed 's/^/    /')"
    output exit-code "$1"
    exit "$1"
}

# refuse TEXT: exits before the program runs.
refuse() {
    printf 'squall action: %s\n' "$1" >&2
    fail 2 "$1"
}

[ -n "$solver" ] || refuse "the input 'solver' is missing: the solver to test, such as ./build/z3"
case $minutes in
'' | *[!0-9]* | 0*) refuse "the input 'minutes' is '$minutes'; it must be a whole number from 1" ;;
esac
command -v "$program" >/dev/null || refuse "there is no program '$program'; install squall, or name it by the input 'program'"

mkdir -p "$out" || refuse "cannot make the folder '$out'"
sarif=$out/squall.sarif junit=$out/squall.xml summary=$out/summary.md new_known=$out/known.json log=$out/stderr.txt

# Reports of an earlier run must not count as those of this one. Its findings stay, and 'squall ci' rejects their folder. Its file of known
# findings stays, too, because it may be the input.
rm -f "$sarif" "$junit" "$summary"

arguments=(ci --solver "$solver" --for "${minutes}m" --since-seed "$campaign_seed" --fail-on "$fail_on")
arguments+=(--out "$out/campaign" --sarif "$sarif" --junit "$junit" --summary "$summary" --write-known "$new_known")
if [ -n "$baseline" ]; then arguments+=(--baseline "$baseline"); fi
if [ -n "$config" ]; then arguments+=(--config "$config"); fi
if [ -n "$changed" ]; then arguments+=(--changed "$changed"); fi
if [ -n "$map" ]; then arguments+=(--map "$map"); fi
if [ -n "$counted" ]; then arguments+=(--counted "$counted"); fi
if [ -n "$known" ]; then arguments+=(--known "$known"); fi
# One path per line.
while IFS= read -r path; do
    if [ -n "$path" ]; then arguments+=("$path"); fi
done <<<"$seeds"
arguments+=(--)
# Words between white space; nothing in them is expanded.
read -r -d '' -a words <<<"$options"
for word in ${words[@]+"${words[@]}"}; do arguments+=("$word"); done

# An interrupt ends the program, which then writes its results. This script must continue.
trap : INT
{
    "$program" "${arguments[@]}" 2>&1 >&3 | (
        trap '' INT
        exec tee "$log" >&2
    )
    code=${PIPESTATUS[0]}
} 3>&1

# Without a summary the program failed: its last lines are the reason.
[ -f "$summary" ] || fail "$code" "$(tail -n 20 "$log")"
show "$(cat "$summary")"
output exit-code "$code"
output sarif "$sarif"
output junit "$junit"
output summary "$summary"
output known "$new_known"
exit "$code"
