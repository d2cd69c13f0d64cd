'use strict';
// Writes the documentation of a clone before `assay docs` opens it; it takes a second, so it is always written anew.

const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { bundledNode, root } = require('./ensure-deps.cjs');

/** Builds the site; without an installed builder, an earlier build stays. */
function ensureDocsSite() {
  if (!existsSync(join(root, 'node_modules/marked'))) return;
  spawnSync(bundledNode(), [join(root, 'scripts/docs-site.ts')], { stdio: ['ignore', 'ignore', 2] });
}

module.exports = { ensureDocsSite };
