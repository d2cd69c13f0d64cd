#!/usr/bin/env bash
# The conformance suite and the inspector of the Model Context Protocol: $1 is their folder. Done once; a stamp file tells.
set -euo pipefail
folder=$1
[ -f "$folder/.ready-1" ] && exit 0
mkdir -p "$folder"
npm install --silent --no-audit --no-fund --no-package-lock --prefix "$folder" \
  @modelcontextprotocol/conformance@0.1.16 @modelcontextprotocol/inspector@0.15.0
touch "$folder/.ready-1"
