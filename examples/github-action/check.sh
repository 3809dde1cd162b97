#!/usr/bin/env bash
# Runs the check twice: for people (the job's summary) and for GitHub's code scanning. The exit code is that of the check.
set -uo pipefail

options=()
[ -n "${EXPECT:-}" ] && options+=(--expect "$EXPECT")
[ -n "${EXCEPTIONS:-}" ] && options+=(--exceptions "$EXCEPTIONS")
# shellcheck disable=SC2206 # several arguments in one input
[ -n "${ARGUMENTS:-}" ] && options+=($ARGUMENTS)

sarif="${RUNNER_TEMP:-/tmp}/instar-check.sarif"
$INSTAR check "git:$BASE:$CRD_PATH" "$CRD_PATH" "${options[@]}" --format sarif --output "$sarif"
status=$?
[ $status -eq 2 ] && exit 2
echo "sarif=$sarif" >> "${GITHUB_OUTPUT:-/dev/null}"
$INSTAR check "git:$BASE:$CRD_PATH" "$CRD_PATH" "${options[@]}" --format markdown >> "${GITHUB_STEP_SUMMARY:-/dev/stdout}"
exit $status
