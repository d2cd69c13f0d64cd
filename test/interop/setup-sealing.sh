#!/usr/bin/env bash
# Virtual environment with what verifies seals in Python, and validates Croissant: $1 is its folder. Done once; a stamp
# file tells.
set -euo pipefail
folder=$1
[ -f "$folder/.ready-1" ] && exit 0
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check \
  rfc8785 cryptography securesystemslib in-toto-attestation mlcroissant
touch "$folder/.ready-1"
