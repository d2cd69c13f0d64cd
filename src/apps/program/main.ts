import { endIdleThreads, startThreadEarly } from '#engine/threads';

/**
 * Process entry point: handles signals, the end of the parent launcher and closed output pipes around the command line.
 */
const abort = new AbortController();
let stopping = false;

function stop(): void {
  // Asked twice, or nothing to wait for: whatever is open ends with the process.
  if (stopping) process.exit(4);
  stopping = true;
  abort.abort();
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of the output has closed it (`| head`).
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

// Children inherit the variable; it speaks of this process only while the launcher is its parent.
const launcherPid = Number(process.env.ASSAY_LAUNCHER_PID);
if (process.ppid === launcherPid) {
  setInterval(() => {
    if (process.ppid !== launcherPid) stop();
  }, 500).unref();
}

const [command, ...rest] = process.argv.slice(2);
// It loads what reads and judges recordings while this thread loads what understands the command line.
if ((command === 'assess' || command === 'inspect') && rest.length > 0) startThreadEarly();
const { processIo, runCli } = await import('#apps/cli');
const { launcher } = await import('./launcher.ts');
process.exitCode = await runCli(process.argv.slice(2), processIo(abort.signal), launcher);
await endIdleThreads();
// Interrupted work may keep the process alive, although everything that matters is closed.
if (stopping) process.exit();
