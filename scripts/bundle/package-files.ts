import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { keepLibraries } from './libraries.ts';
import type { NamedPlaces } from './programs.ts';

/**
 * Starts the bundle under the Node that comes with the package unless the host's is as new. The first thing that anybody asks for
 * needs neither: it was written down when the program was bundled, for a terminal of the usual width.
 */
const launcher = `#!/usr/bin/env node
'use strict';

const { needsBundledNode, restartGivingBack, runNode } = require('../scripts/run-node.cjs');
const program = [__filename].concat(process.argv.slice(2));
const words = process.argv.slice(2).join(' ');
if ((words === '--help' || words === '-h') && (process.stdout.columns || 80) >= 80) {
  process.stdout.write(require('node:fs').readFileSync(require.resolve('../dist/help.txt')));
} else if (needsBundledNode()) {
  runNode(program);
} else {
  restartGivingBack(program);
  require('node:module').enableCompileCache();
  import('../dist/apps-program-main.js').catch((error) => {
    process.stderr.write(\`assay: \${error && error.stack}\\n\`);
    process.exitCode = 4;
  });
}
`;

/** Copies what is read but not imported, and writes what npm needs to know of the package. */
export function writePackage(root: string, folder: string, places: NamedPlaces): void {
  for (const [from, name] of places.assets) copy(from, join(folder, 'dist', name));
  for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE', 'NOTICE'])
    copy(join(root, name), join(folder, name));
  for (const name of ['run-node.cjs', 'ensure-deps.cjs'])
    copy(join(root, 'scripts', name), join(folder, 'scripts', name));
  write(join(folder, 'bin/assay'), launcher);
  const help = [join(root, 'bin/assay'), '--help'];
  write(join(folder, 'dist/help.txt'), execFileSync(process.execPath, help, { encoding: 'utf8' }));
  chmodSync(join(folder, 'bin/assay'), 0o755);
  write(join(folder, 'bin/package.json'), '{ "type": "commonjs" }\n');
  const manifest = { ...published(root), ...keepLibraries(root, folder) };
  write(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** The project's own package.json without what only its developers need. */
function published(root: string): Record<string, unknown> {
  const { name, version, description, license, engines } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  return { name, version, description, license, type: 'module', bin: { assay: 'bin/assay' }, engines };
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('.test.ts') });
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
