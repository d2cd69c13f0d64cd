import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FuzzAnswer, FuzzTask } from './fuzz-child.ts';

const program = fileURLToPath(new URL('./fuzz-child.ts', import.meta.url));

/** Outcome of reading that hung or crashed its process. */
export interface Ended {
  readonly ended: 'hang' | 'death';
  readonly why: string;
}

interface Child {
  readonly process: ChildProcess;
  readonly folder: string;
  /** Resolves when it can read, or ended before. */
  readonly ready: Promise<unknown>;
  words: string;
}

/** A process that reads spoiled recordings, and a new one after each that hung or died. */
export class FuzzRunner {
  readonly #limit_ms: number;
  readonly #heap_mb: number;
  #child: Child | null = null;

  constructor(limits: { readonly time_s: number; readonly heap_mb: number }) {
    this.#limit_ms = limits.time_s * 1000;
    this.#heap_mb = limits.heap_mb;
  }

  async read(task: FuzzTask): Promise<FuzzAnswer | Ended> {
    this.#child ??= this.#start();
    const held = this.#child;
    const { process: child } = held;
    // On a busy machine starting takes longer than reading may.
    await held.ready;
    return new Promise((resolve) => {
      let hung = false;
      const watch = setTimeout(() => {
        hung = true;
        child.kill('SIGKILL');
      }, this.#limit_ms);
      const done = (answer: FuzzAnswer | Ended) => {
        clearTimeout(watch);
        child.removeAllListeners('message').removeAllListeners('exit');
        resolve(answer);
      };
      child.once('message', (answer: FuzzAnswer) => done(answer));
      child.once('exit', (code, signal) => {
        this.#forget();
        const how = signal ?? `code ${code}`;
        const last = held.words.trim().split('\n').slice(-4).join(' ');
        done(
          hung
            ? { ended: 'hang', why: `not done after ${this.#limit_ms / 1000} s` }
            : { ended: 'death', why: `${how} ${last}` },
        );
      });
      if (child.exitCode === null && child.signalCode === null) child.send(task);
      else done({ ended: 'death', why: `ended before it read anything: ${held.words}` });
    });
  }

  async close(): Promise<void> {
    const child = this.#child?.process;
    if (child === undefined) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    this.#forget();
  }

  #start(): Child {
    const folder = mkdtempSync(join(tmpdir(), 'assay-fuzz-'));
    const child = fork(program, [], {
      execArgv: [`--max-old-space-size=${this.#heap_mb}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...process.env, TMPDIR: folder },
    });
    const ready = new Promise((resolve) => child.once('message', resolve).once('exit', resolve));
    const held: Child = { process: child, folder, ready, words: '' };
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      held.words = (held.words + text).slice(-2000);
    });
    return held;
  }

  #forget(): void {
    if (this.#child !== null) rmSync(this.#child.folder, { recursive: true, force: true });
    this.#child = null;
  }
}
