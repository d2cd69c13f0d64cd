import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { lerobotPython, peersPython } from '../support/peers.ts';
import { type SharedResource, sharedResource } from '../support/shared-resources.ts';
import { recordTiming } from '../support/timings.ts';

/** `first`: the libraries were loaded for it. */
type Answer = ({ readonly output: string } | { readonly failed: string }) & { readonly first: boolean };

/**
 * Pythons by the libraries that a script loads, each a process of its own: peers; LeRobot 0.4.4 for v3.0 sets, 0.3.3 for
 * v2.1, 0.6.1 for language columns; other readers that need torch; TensorFlow Datasets, which ASSAY_TFDS_PYTHON
 * may name: `install-peers.sh` does not install it.
 */
const pythons = {
  peers: peersPython,
  lerobot: lerobotPython,
  'lerobot-v21': lerobotPython,
  'lerobot-v06': lerobotPython,
  'torch-readers': lerobotPython,
  tfds: process.env.ASSAY_TFDS_PYTHON,
} as const;
export type Libraries = keyof typeof pythons;
export const libraries = Object.keys(pythons) as Libraries[];

export const isInstalled = (libraries: Libraries): boolean => pythons[libraries] !== undefined;

/** Starts a Python, in Vitest's main process, that runs scripts for all test files of a run. Facts: `socket`, in `folder`. */
export async function startPython(libraries: Libraries, folder: string): Promise<SharedResource> {
  const socket = join(folder, `python-${libraries}.sock`);
  const child = spawn(
    pythons[libraries] ?? '',
    ['-u', '-W', 'ignore', join(import.meta.dirname, 'worker.py'), socket],
    {
      // It ends when its standard input does.
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, HF_HUB_OFFLINE: '1', HF_HUB_DISABLE_PROGRESS_BARS: '1', TQDM_DISABLE: '1' },
    },
  );
  const gone = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), gone]);
  const stop = async () => {
    child.stdin.end();
    await gone;
  };
  return { facts: { socket }, stop };
}

/**
 * Runs a script (relative to this folder, or absolute) as `__main__` in the Python that all test files share for these
 * libraries. Returns its standard output; rejects with its traceback. Scripts run one at a time.
 */
export async function runScript(
  libraries: Libraries,
  script: string,
  ...args: readonly string[]
): Promise<string> {
  if (!isInstalled(libraries)) throw new Error('this Python is not installed');
  const { socket } = await sharedResource(`python-${libraries}`);
  const began = performance.now();
  const connection = connect(socket);
  connection.end(`${JSON.stringify({ script: resolve(import.meta.dirname, script), args })}\n`);
  const said = await text(connection);
  if (said === '') throw new Error(`Python ended while it ran ${script}`);
  const answer: Answer = JSON.parse(said);
  if (answer.first) recordTiming({ kind: 'start', what: 'python', ms: performance.now() - began });
  if ('failed' in answer) throw new Error(answer.failed);
  return answer.output;
}

/** The JSON in the last line that a script prints: libraries may print before it. */
export async function askScript(libraries: Libraries, script: string, ...args: readonly string[]) {
  const output = (await runScript(libraries, script, ...args)).trimEnd();
  return JSON.parse(output.slice(output.lastIndexOf('\n') + 1));
}
