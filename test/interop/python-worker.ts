import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { lerobotPython, peersPython } from '../support/peers.ts';
import { recordTiming } from '../support/timings.ts';

type Answer = { readonly output: string } | { readonly failed: string };

/** A Python process that runs scripts of this folder one after the other. It starts when first asked. */
class PythonWorker {
  readonly #python: string;
  readonly #waiting: PromiseWithResolvers<string>[] = [];
  #child: ChildProcess | undefined;
  #errors = '';

  constructor(python: string) {
    this.#python = python;
  }

  /** Standard output of a script. Throws with its traceback where it fails. */
  run(script: string, args: readonly string[]): Promise<string> {
    if (this.#python === '') return Promise.reject(new Error('this Python is not installed'));
    this.#child ??= this.#start();
    const answer = Promise.withResolvers<string>();
    this.#waiting.push(answer);
    (this.#child.stdout as Socket).ref();
    this.#child.stdin!.write(`${JSON.stringify({ script: resolve(import.meta.dirname, script), args })}\n`);
    return answer.promise;
  }

  #start(): ChildProcess {
    const began = performance.now();
    const child = spawn(this.#python, ['-u', '-W', 'ignore', join(import.meta.dirname, 'worker.py')], {
      stdio: 'pipe',
      env: { ...process.env, HF_HUB_OFFLINE: '1', HF_HUB_DISABLE_PROGRESS_BARS: '1', TQDM_DISABLE: '1' },
    });
    child.stderr.on('data', (bytes) => (this.#errors = (this.#errors + bytes).slice(-4000)));
    const answers = createInterface(child.stdout).on('line', (line) => this.#settle(JSON.parse(line)));
    // The first script loads the libraries.
    answers.once('line', () =>
      recordTiming({ kind: 'start', what: 'python', ms: performance.now() - began }),
    );
    // The test process waits for answers, but not for this one to end: it does when its standard input ends.
    child.unref();
    for (const stream of child.stdio) (stream as Socket | null)?.unref();
    const fail = (reason: string) => {
      this.#child = undefined;
      while (this.#waiting.length > 0) this.#settle({ failed: `${reason}: ${this.#errors}` });
      this.#errors = '';
    };
    child.on('error', ({ message }) => fail(message));
    child.on('close', (code, signal) => fail(`Python ended (${code ?? signal})`));
    child.stdin.on('error', () => {
      // It has ended: what waits is told so by its exit.
    });
    return child;
  }

  #settle(answer: Answer): void {
    const waiting = this.#waiting.shift();
    if (this.#waiting.length === 0) (this.#child?.stdout as Socket | undefined)?.unref();
    if ('output' in answer) waiting?.resolve(answer.output);
    else waiting?.reject(new Error(answer.failed));
  }
}

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

export const isInstalled = (libraries: Libraries): boolean => pythons[libraries] !== undefined;

const workers = new Map<Libraries, PythonWorker>();

/**
 * Runs a script (relative to this folder, or absolute) as `__main__` in the Python that all test files of a process share for
 * these libraries. Returns its standard output; rejects with its traceback. Scripts run one at a time.
 */
export function runScript(libraries: Libraries, script: string, ...args: readonly string[]): Promise<string> {
  const worker = workers.get(libraries) ?? new PythonWorker(pythons[libraries] ?? '');
  workers.set(libraries, worker);
  return worker.run(script, args);
}

/** The JSON in the last line that a script prints: libraries may print before it. */
export async function askScript(libraries: Libraries, script: string, ...args: readonly string[]) {
  const output = (await runScript(libraries, script, ...args)).trimEnd();
  return JSON.parse(output.slice(output.lastIndexOf('\n') + 1));
}
