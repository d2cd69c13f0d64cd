'use strict';
// node scripts/with-deps.cjs COMMAND [ARGUMENTS]: installs what is missing, then runs COMMAND (`node`, or a program of
// an installed package) under the Node of node_modules. Without a command it only installs.

const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { ensureDependencies, root } = require('./ensure-deps.cjs');
const { runNode } = require('./run-node.cjs');

function programOf(name) {
  const folder = join(root, 'node_modules', name);
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return null;
  const bin = JSON.parse(readFileSync(file, 'utf8')).bin;
  const path = typeof bin === 'string' ? bin : bin?.[name];
  return path ? join(folder, path) : null;
}

const command = process.argv[2];
const rest = process.argv.slice(3);
ensureDependencies();
if (command === 'node') runNode(rest);
else if (command !== undefined) {
  const program = programOf(command);
  if (program === null) {
    process.stderr.write(`with-deps: no installed package offers ${command}\n`);
    process.exit(2);
  }
  runNode([program].concat(rest));
}
