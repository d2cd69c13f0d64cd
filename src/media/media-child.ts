import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type FromChild, memoryLimitVariable, type ToChild } from './protocol.ts';

const program = fileURLToPath(new URL('./child/main.ts', import.meta.url));
const stderrKept = 2000;

export interface ChildEvents {
  readonly onMessage: (message: FromChild) => void;
  /** The process is gone; `why` says how it ended, its last words included. */
  readonly onGone: (why: string) => void;
}

/** One child process. It does not keep this process alive unless `hold` says that an answer is awaited. */
export class MediaChild {
  readonly #process: ChildProcess;
  readonly gone: Promise<void>;
  #lastWords = '';
  #cause: string | null = null;

  constructor(memoryLimitMb: number, events: ChildEvents) {
    this.#process = fork(program, [], {
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...process.env, [memoryLimitVariable]: String(memoryLimitMb), NODE_OPTIONS: '' },
    });
    this.#process.on('message', events.onMessage);
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-stderrKept);
    });
    this.#process.on('error', (error) => {
      this.#cause ??= error.message;
    });
    this.gone = new Promise((resolve) => {
      this.#process.once('close', (code, signal) => {
        events.onGone(this.#describeEnd(code, signal));
        resolve();
      });
      this.#process.once('error', () => {
        if (this.#process.pid === undefined) {
          events.onGone(this.#cause ?? 'could not be started');
          resolve();
        }
      });
    });
    this.hold(false);
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  send(message: ToChild): void {
    // A child that has just died takes no message; its `close` event then returns the work to the queue.
    if (this.#process.connected) this.#process.send(message, () => {});
  }

  /** Whether this process has to stay alive for an answer of the child. */
  hold(held: boolean): void {
    const streams = [
      this.#process,
      this.#process.channel,
      this.#process.stderr,
    ] as readonly (Holdable | null)[];
    for (const one of streams) {
      if (held) one?.ref?.();
      else one?.unref?.();
    }
  }

  /** Ends the child at once; `why` becomes the reason it is gone. */
  kill(why: string): void {
    this.#cause ??= why;
    this.#process.kill('SIGKILL');
  }

  #describeEnd(code: number | null, signal: string | null): string {
    if (this.#cause !== null) return this.#cause;
    const end = signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
    const words = this.#lastWords.trim().split('\n').slice(-3).join(' ').slice(-300);
    return words === '' ? end : `${end}: ${words}`;
  }
}

interface Holdable {
  ref?(): void;
  unref?(): void;
}
