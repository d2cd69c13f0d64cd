import { type ChildProcess, fork } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type ChildLimits, limitsVariable, watchdogPipe } from './limits.ts';

const stderrKept = 2000;
/**
 * Of the C library: a heap for each thread, as is usual, costs a decoder fifteen megabytes and speeds nothing up. Large
 * blocks, such as pictures, go back to the system when they are freed, and do not leave holes in the heap.
 */
const smallHeaps = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '1000000',
  MALLOC_TRIM_THRESHOLD_: '250000',
};
/** Of V8, for objects that live shortly: left to itself a decoder takes 48 MB for them and is hardly faster. */
const smallYoungHeap = ['--max-semi-space-size=4'];

/** How a child ended. */
export interface ChildEnd {
  readonly why: string;
  /** Another child may come through: what ended this one may have come from outside, or from an earlier request. */
  readonly again: boolean;
}

export interface ChildEvents<From> {
  readonly onMessage: (message: From) => void;
  /** It lives and is given time to compute; about once a second while it works. */
  readonly onAlive: () => void;
  /** The process is gone. */
  readonly onGone: (end: ChildEnd) => void;
}

/**
 * A child process that ends itself at its limits and when this process is gone; `underWatch` is its other side. It does
 * not keep this process alive unless `hold` says that an answer is awaited.
 */
export class GuardedChild<To extends object, From> {
  readonly #process: ChildProcess;
  readonly gone: Promise<void>;
  #events: ChildEvents<From>;
  #lastWords = '';
  #line = '';
  #end: ChildEnd | null = null;

  constructor(program: URL, limits: ChildLimits, events: ChildEvents<From>) {
    this.#events = events;
    this.#process = fork(fileURLToPath(program), [], {
      execArgv: smallYoungHeap,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
      env: { ...smallHeaps, ...process.env, [limitsVariable]: JSON.stringify(limits), NODE_OPTIONS: '' },
    });
    this.#process.on('message', (message: From) => this.#events.onMessage(message));
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-stderrKept);
    });
    this.#watchdog?.setEncoding('utf8').on('data', (text: string) => {
      this.#hear(text);
      this.#events.onAlive();
    });
    this.#process.on('error', (error) => {
      this.#end ??= { why: error.message, again: true };
    });
    this.gone = new Promise((resolve) => {
      this.#process.once('close', (code, signal) => {
        this.#events.onGone(this.#describeEnd(code, signal));
        resolve();
      });
      this.#process.once('error', () => {
        if (this.#process.pid === undefined) {
          this.#events.onGone(this.#end ?? { why: 'could not be started', again: true });
          resolve();
        }
      });
    });
    this.hold(false);
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get #watchdog(): Readable | null {
    return this.#process.stdio[watchdogPipe] as Readable | null;
  }

  /** Replaces the events that were given before. */
  listen(events: ChildEvents<From>): void {
    this.#events = events;
  }

  send(message: To): void {
    // A child that has just died takes no message; its `close` event then returns the work to the queue.
    if (this.#process.connected) this.#process.send(message, () => {});
  }

  /** Whether this process has to stay alive for an answer of the child. */
  hold(held: boolean): void {
    const streams = [
      this.#process,
      this.#process.channel,
      this.#process.stderr,
      this.#watchdog,
    ] as readonly (Holdable | null)[];
    for (const one of streams) {
      if (held) one?.ref?.();
      else one?.unref?.();
    }
  }

  /** Ends the child at once; `why` becomes the reason it is gone. */
  kill(why: string): void {
    this.#end ??= { why, again: true };
    this.#process.kill('SIGKILL');
  }

  /** Signs of life, or the limit that ends it. */
  #hear(text: string): void {
    const lines = (this.#line + text).split('\n');
    this.#line = lines.pop()!;
    for (const line of lines) {
      if (line === '.') continue;
      const [limit, ...words] = line.split(' ');
      // Over memory a fresh child may come through: this one may have held what came before.
      this.#end ??= { why: words.join(' '), again: limit === 'memory' };
    }
  }

  #describeEnd(code: number | null, signal: string | null): ChildEnd {
    if (this.#end !== null) return this.#end;
    const end = signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
    const words = this.#lastWords.trim().split('\n').slice(-3).join(' ').slice(-300);
    return { why: words === '' ? end : `${end}: ${words}`, again: true };
  }
}

interface Holdable {
  ref?(): void;
  unref?(): void;
}
