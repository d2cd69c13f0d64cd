#!/usr/bin/env bash
# The step of action.yml that assesses: a report, SARIF, annotations and a summary of one measurement. What the decisions mean
# for the run is an output, so that results are uploaded before it fails; what could not be read fails here.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d "$RUNNER_TEMP/assay-XXXXXX")
node "$root/scripts/with-deps.cjs" >&2

read -r -a options <<<"$ASSAY_INPUT_OPTIONS"
case $ASSAY_INPUT_FAIL_ON in
  review | reject) threshold=(--fail-on "$ASSAY_INPUT_FAIL_ON") ;;
  never) threshold=() ;;
  *) echo "::error::fail-on is review, reject or never, not $ASSAY_INPUT_FAIL_ON"; exit 2 ;;
esac
# Measured once: the others read what the first keeps.
assess() { node "$root/bin/assay" assess "$ASSAY_INPUT_PATH" --cache "$work/cache" ${options[@]+"${options[@]}"} "$@"; }

verdict=0
assess --out "$work/report" --format sarif ${threshold[@]+"${threshold[@]}"} >"$work/assay.sarif" || verdict=$?
[ "$verdict" -le 1 ] || exit "$verdict"
assess --format github
assess --format markdown >>"$GITHUB_STEP_SUMMARY"

count() { node -p "JSON.parse(require('fs').readFileSync('$work/report/assessment.json','utf8')).dataset.decisions.$1"; }
{
  echo "verdict=$verdict"
  echo "accepted=$(count accept)"
  echo "review=$(count review)"
  echo "rejected=$(count reject)"
  echo "report=$work/report"
  echo "sarif=$work/assay.sarif"
} >>"$GITHUB_OUTPUT"
