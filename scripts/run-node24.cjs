'use strict';
// Runs a script under the Node 24 of node_modules and ends as it ends.

const { spawn } = require('node:child_process');
const { node24 } = require('./ensure-deps.cjs');

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

/** Replaces this process by Node 24 where the host can, else waits for it, handing signals on. */
function runNode24(args, options) {
  const file = node24();
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

module.exports = { runNode24, restartGivingBack };
