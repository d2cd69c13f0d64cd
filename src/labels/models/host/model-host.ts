import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { BroadcastChannel } from 'node:worker_threads';
import { messageOf } from '#core';
import type { OnnxProviderWish } from '#core/api';
import { type ChildLimits, GuardedChild } from '#io/processes';
import type { Ask, FromHostProcess, HostEnd, Listen, Told } from './messages.ts';

const usualProgram = new URL('./child/main.ts', import.meta.url);
/** Starts in a row that may fail. */
const startsTried = 3;
/** A connection may be lost without its host: then it is used further. */
const endPatience_ms = 5000;
/** Ends that clients may still ask for. */
const endsKept = 16;

export interface ModelHostOptions {
  /** Resident memory of the host, with all models it holds. Default 4096. */
  readonly memory_limit_mb?: number;
  /** Processor time over one request; then the host is ended. Default 300. */
  readonly cpu_limit_s?: number;
  /** How long the host may neither compute nor answer. Default 300. */
  readonly idle_limit_s?: number;
  /** How long nothing is heard of a host that has a request: it was stopped. Default 300. */
  readonly silent_limit_s?: number;
  /** Processor threads for one model. Default: one a processor. */
  readonly threads?: number;
  /** By what ONNX models are to be computed. Default `auto`. */
  readonly onnx_provider?: OnnxProviderWish;
}

interface Running {
  readonly generation: number;
  readonly child: GuardedChild<Listen, FromHostProcess>;
  readonly ready: Promise<void>;
}

/**
 * The process in which models run, one for all threads of this process: started when a `ModelClient` first asks for it,
 * started again when it has ended. Clients reach it by `socket`, so that tensors do not pass through this thread.
 */
export class ModelHost {
  /** Names the host for clients, in whatever thread. */
  readonly socket: string;
  readonly #folder: string | null;
  readonly #limits: ChildLimits;
  readonly #silentLimit_ms: number;
  readonly #told: Omit<Listen, 'kind' | 'socket'>;
  readonly #program: URL;
  readonly #channel: BroadcastChannel;
  readonly #ends = new Map<number, HostEnd>();
  #running: Running | null = null;
  #generation = 0;
  #heard_ms = 0;
  #closed = false;

  /** `program`: another child, for tests. */
  constructor(options: ModelHostOptions = {}, program = usualProgram) {
    const isWindows = process.platform === 'win32';
    this.#folder = isWindows ? null : mkdtempSync(join(tmpdir(), 'assay-models-'));
    this.socket =
      this.#folder === null
        ? `\\\\.\\pipe\\assay-models-${process.pid}-${randomUUID()}`
        : join(this.#folder, 'host.sock');
    this.#limits = {
      memory_mb: options.memory_limit_mb ?? 4096,
      cpu_s: options.cpu_limit_s ?? 300,
      idle_s: options.idle_limit_s ?? 300,
    };
    this.#silentLimit_ms = 1000 * (options.silent_limit_s ?? 300);
    const { threads = availableParallelism(), onnx_provider = 'auto' } = options;
    this.#told = { threads, onnx_provider };
    this.#program = program;
    this.#channel = new BroadcastChannel(this.socket);
    this.#channel.onmessage = (event) => void this.#hear((event as { data: Ask | Told }).data);
    this.#channel.unref();
    process.once('exit', this.#removeFolder);
  }

  /** The process under way, if one is. */
  get pid(): number | undefined {
    return this.#running?.child.pid;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#channel.close();
    const running = this.#running;
    running?.child.hold(true);
    running?.child.kill('models were stopped');
    await running?.child.gone;
    process.off('exit', this.#removeFolder);
    this.#removeFolder();
  }

  readonly #removeFolder = (): void => {
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true });
  };

  async #hear(asked: Ask | Told): Promise<void> {
    if (asked.kind === 'told') return;
    if (asked.kind === 'waiting') return this.#suspect(asked.waited_s);
    const { client, ask, lost } = asked;
    if (lost !== null && this.#running?.generation === lost) await this.#endOf(this.#running);
    const started = await this.#host();
    if (this.#closed) return;
    const end = lost === null ? null : (this.#ends.get(lost) ?? null);
    this.#channel.postMessage({ kind: 'told', client, ask, end, ...started } satisfies Told);
  }

  async #endOf({ child }: Running): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, endPatience_ms).unref();
    await Promise.race([child.gone, promise]);
    clearTimeout(timer);
  }

  async #host(): Promise<Pick<Told, 'generation' | 'failure'>> {
    for (let tried = 1; ; tried++) {
      if (this.#closed) return { generation: 0, failure: 'models were stopped' };
      const running = this.#running ?? this.#start();
      try {
        await running.ready;
        return { generation: running.generation, failure: null };
      } catch (thrown) {
        if (tried >= startsTried) return { generation: 0, failure: messageOf(thrown) };
      }
    }
  }

  #start(): Running {
    const generation = ++this.#generation;
    const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
    // Thrown where it is waited for.
    ready.catch(() => {});
    this.#heard_ms = performance.now();
    // The socket of a host that was killed is still there.
    if (this.#folder !== null) rmSync(this.socket, { force: true });
    const child = new GuardedChild<Listen, FromHostProcess>(this.#program, this.#limits, {
      onMessage: (message) => (message.kind === 'listening' ? resolve() : reject(new Error(message.reason))),
      onAlive: () => {
        this.#heard_ms = performance.now();
      },
      onGone: (end) => {
        if (this.#running?.generation === generation) this.#running = null;
        this.#ends.set(generation, end);
        this.#ends.delete(generation - endsKept);
        reject(new Error(end.why));
      },
    });
    child.send({ kind: 'listen', socket: this.socket, ...this.#told });
    this.#running = { generation, child, ready };
    return this.#running;
  }

  /** A host guards itself while it runs; one that is stopped does not. */
  #suspect(waited_s: number): void {
    const silent_ms = performance.now() - this.#heard_ms;
    if (Math.min(silent_ms, waited_s * 1000) <= this.#silentLimit_ms) return;
    this.#running?.child.kill(`gave no sign of life for ${this.#silentLimit_ms / 1000} s`);
  }
}
