'use strict';
// Runs a script under the Node of node_modules and ends as it ends.

const { spawn } = require('node:child_process');
const { existsSync } = require('node:fs');
const { bundledNode } = require('./ensure-deps.cjs');

const canReplace = typeof process.execve === 'function' && process.platform !== 'win32';

/** For the C library: memory that threads free goes back to the system. A service at rest holds a quarter less. */
const givingBack = { MALLOC_MMAP_THRESHOLD_: '1000000', MALLOC_TRIM_THRESHOLD_: '1000000' };

const serves = (command) => ['serve', 'start', 'worker'].includes(command);

/** Starts a service's program anew in this process, which is as good but for the C library: it reads its settings once. */
function restartGivingBack(args) {
  const wanted = process.platform === 'linux' && canReplace && serves(args[1]);
  if (!wanted || 'MALLOC_TRIM_THRESHOLD_' in process.env) return;
  const file = process.execPath;
  process.execve(file, [file].concat(process.execArgv, args), Object.assign({}, givingBack, process.env));
}

/**
 * True where the Node that runs this is too old, or has the fault of V8 that ends processes now and then
 * (docs/decisions/0055) and a newer one is installed.
 */
function needsBundledNode() {
  const major = Number(process.versions.node.split('.')[0]);
  return major < 24 || (major < 26 && existsSync(bundledNode()));
}

/** Replaces this process by the Node of node_modules where the host can, else waits for it, handing signals on. */
function runNode(args, options) {
  const file = bundledNode();
  const env = Object.assign({}, serves(args[1]) ? givingBack : {}, process.env, {
    ASSAY_LAUNCHER_PID: String(process.pid),
  });
  const cwd = options?.cwd;
  if (canReplace) {
    if (cwd) process.chdir(cwd);
    delete env.ASSAY_LAUNCHER_PID;
    process.execve(file, [file].concat(args), env);
  }
  const child = spawn(file, args, { stdio: 'inherit', env, cwd });
  // The terminal sends SIGINT to both; waiting lets the child clean up first.
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`assay: ${file} could not be started (${error.message}); run npm ci\n`);
    process.exit(4);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

module.exports = { needsBundledNode, runNode, restartGivingBack };
