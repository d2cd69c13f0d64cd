import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { program } from './program.ts';

/** Starts `assay worker` with a data folder, and waits until it takes work. */
export async function startWorkerProcess(
  data: string,
  env: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  const worker = spawn(process.execPath, [program, 'worker', '--data', data], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // It says so when it takes work.
  await once(worker.stderr, 'data');
  worker.stderr.resume();
  return worker;
}

/** Ends a process that is still there, and waits for its end. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}
