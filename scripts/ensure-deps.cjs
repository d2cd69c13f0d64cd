'use strict';
// Plain old JavaScript on purpose: this runs on whatever Node the host has (16 or newer), before anything is installed.

const { spawnSync } = require('node:child_process');
const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');
const modules = join(root, 'node_modules');

function lockedPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages || {};
  } catch {
    return null;
  }
}

/** Why `npm ci` has to run, or null when what is installed is what the lockfile says. */
function staleness() {
  const locked = lockedPackages(join(root, 'package-lock.json'));
  if (locked === null) return null;
  const installed = lockedPackages(join(modules, '.package-lock.json'));
  if (installed === null) return 'nothing is installed yet';
  for (const place of Object.keys(locked)) {
    if (place === '') continue;
    const wanted = locked[place];
    const there = installed[place];
    if (
      there === undefined
        ? !wanted.optional && !wanted.devOptional && !wanted.peer
        : there.version !== wanted.version
    ) {
      return `${place.replace(/^.*node_modules\//, '')} is not what package-lock.json says`;
    }
  }
  return existsSync(bundledNode()) ? null : 'Node is not there';
}

/** The Node that comes as a dependency: here, or where npm put it beside the published package. */
function bundledNode() {
  const file = join('node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  const folders = (require.resolve.paths('node/bin') || []).filter((folder) =>
    existsSync(join(folder, file)),
  );
  return join(existsSync(join(root, 'package-lock.json')) ? modules : folders[0] || modules, file);
}

/** Installs what the lockfile says unless it is there; ends the process with a clear line when that fails. */
function ensureDependencies() {
  const why = staleness();
  if (why === null) return;
  process.stderr.write(`assay: ${why}; running npm ci (once; about 1.4 GB, one to three minutes)\n`);
  // npm's own script when npm started us, so that no shell and no PATH look-up is needed.
  const script = process.env.npm_execpath;
  const viaScript = script !== undefined && /npm-cli\.[cm]?js$/.test(script);
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const ran = viaScript
    ? spawnSync(process.execPath, [script].concat(args), { cwd: root, stdio: ['ignore', 2, 2] })
    : spawnSync(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, {
        cwd: root,
        stdio: ['ignore', 2, 2],
        shell: process.platform === 'win32',
      });
  if (ran.status !== 0) {
    const reason = ran.error
      ? ran.error.message
      : `npm ended with ${ran.status === null ? ran.signal : ran.status}`;
    process.stderr.write(`assay: could not install the packages (${reason})\n`);
    process.stderr.write(
      'assay: check the network or the npm cache, then run npm ci here to see npm say more\n',
    );
    process.exit(4);
  }
  if (!existsSync(bundledNode())) {
    process.stderr.write('assay: npm did not install Node; install scripts may be disabled\n');
    process.stderr.write('assay: run npm rebuild node, or use Node 26\n');
    process.exit(4);
  }
}

module.exports = { ensureDependencies, bundledNode, root };
