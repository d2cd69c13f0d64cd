#!/usr/bin/env bash
# Installs the versions of Node that users of @assay/client may have into the folder $1, each as NAME/bin/node: the oldest that
# the package allows, and the newest of every line. Bare machine: npm.
set -euo pipefail
top=${1:?name a folder}
platform=$(node -p '`${process.platform === "win32" ? "win" : process.platform}-${process.arch}`')
versions='20.3.1 20.20.2 22.23.3 24.21.0'
[ "$(cat "$top/.installed" 2>/dev/null)" = "$versions" ] && exit 0
rm -rf "$top"
mkdir -p "$top"
aliases=()
for version in $versions; do aliases+=("$version@npm:node-$platform@$version"); done
npm install --silent --no-audit --no-fund --no-package-lock --prefix "$top" "${aliases[@]/#/node-}"
for version in $versions; do ln -s "node_modules/node-$version" "$top/$version"; done
echo "$versions" > "$top/.installed"
