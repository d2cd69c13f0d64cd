import { type ChildProcess, fork } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type ChildLimits, limitsVariable, watchdogPipe } from './limits.ts';

const maxStderrChars = 2000;
/**
 * glibc malloc settings. One heap per thread, the default, costs a decoder 15 MB without being faster. Large blocks
 * such as pictures are returned to the system when freed, so that they leave no holes in the heap.
 */
const mallocEnvironment = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '1000000',
  MALLOC_TRIM_THRESHOLD_: '250000',
};
/** V8 heap for short-lived objects, in MB. Without this limit a decoder uses 48 MB for them and is hardly faster. */
const v8Options = ['--max-semi-space-size=4'];

/** Why a child process ended. */
export interface ChildEnd {
  readonly reason: string;
  /** True if another child may succeed, because the cause may lie outside or in an earlier request. */
  readonly retryable: boolean;
}

/** Callbacks of a guarded child. */
export interface ChildEvents<From> {
  readonly onMessage: (message: From) => void;
  /** Called about once a second while the child is working and gets CPU time. */
  readonly onAlive: () => void;
  /** Called once when the process has ended, or could not be started. */
  readonly onEnd: (end: ChildEnd) => void;
}

/**
 * A child process that ends itself when it exceeds its limits or when this process has died (see `startWatchdog`, which
 * the child program calls). It keeps this process alive only while `keepParentAlive(true)` is in effect.
 */
export class GuardedChild<To extends object, From> {
  readonly #process: ChildProcess;
  readonly ended: Promise<void>;
  #events: ChildEvents<From>;
  #stderrTail = '';
  #partialLine = '';
  #end: ChildEnd | null = null;

  constructor(program: URL, limits: ChildLimits, events: ChildEvents<From>) {
    this.#events = events;
    this.#process = fork(fileURLToPath(program), [], {
      execArgv: v8Options,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
      env: {
        ...mallocEnvironment,
        ...process.env,
        [limitsVariable]: JSON.stringify(limits),
        NODE_OPTIONS: '',
      },
    });
    this.#process.on('message', (message: From) => this.#events.onMessage(message));
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderrTail = (this.#stderrTail + text).slice(-maxStderrChars);
    });
    this.#watchdog?.setEncoding('utf8').on('data', (text: string) => {
      this.#parseWatchdogLines(text);
      this.#events.onAlive();
    });
    this.#process.on('error', (error) => {
      this.#end ??= { reason: error.message, retryable: true };
    });
    this.ended = new Promise((resolve) => {
      this.#process.once('close', (code, signal) => {
        this.#events.onEnd(this.#describeEnd(code, signal));
        resolve();
      });
      this.#process.once('error', () => {
        if (this.#process.pid === undefined) {
          this.#events.onEnd(this.#end ?? { reason: 'could not be started', retryable: true });
          resolve();
        }
      });
    });
    this.keepParentAlive(false);
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get #watchdog(): Readable | null {
    return this.#process.stdio[watchdogPipe] as Readable | null;
  }

  /** Replaces the callbacks. */
  setEvents(events: ChildEvents<From>): void {
    this.#events = events;
  }

  /** Sends a message to the child; does nothing if the child has ended. */
  send(message: To): void {
    // A child that has just died does not accept messages; its `close` event then returns the work to the queue.
    if (this.#process.connected) this.#process.send(message, () => {});
  }

  /** Sets whether the child keeps this process alive, as it must while an answer is expected. */
  keepParentAlive(isAwaiting: boolean): void {
    const streams = [
      this.#process,
      this.#process.channel,
      this.#process.stderr,
      this.#watchdog,
    ] as readonly (Referenceable | null)[];
    for (const one of streams) {
      if (isAwaiting) one?.ref?.();
      else one?.unref?.();
    }
  }

  /** Kills the child; `why` becomes the reason passed to the end callback. */
  kill(why: string): void {
    this.#end ??= { reason: why, retryable: true };
    this.#process.kill('SIGKILL');
  }

  /** Parses the lines of the watchdog: `.` as a sign of life, or the limit that the child exceeded. */
  #parseWatchdogLines(text: string): void {
    const lines = (this.#partialLine + text).split('\n');
    this.#partialLine = lines.pop()!;
    for (const line of lines) {
      if (line === '.') continue;
      const [limit, ...words] = line.split(' ');
      // After exceeding memory a new child may succeed: this one may still have held memory of earlier requests.
      this.#end ??= { reason: words.join(' '), retryable: limit === 'memory' };
    }
  }

  #describeEnd(code: number | null, signal: string | null): ChildEnd {
    if (this.#end !== null) return this.#end;
    const end = signal === null ? `exited with code ${code}` : `was killed by ${signal}`;
    const words = this.#stderrTail.trim().split('\n').slice(-3).join(' ').slice(-300);
    return { reason: words === '' ? end : `${end}: ${words}`, retryable: true };
  }
}

interface Referenceable {
  ref?(): void;
  unref?(): void;
}
