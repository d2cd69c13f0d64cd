import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { BroadcastChannel } from 'node:worker_threads';
import { messageOf } from '#core';
import type { OnnxProviderSetting } from '#core/api';
import { type ChildLimits, GuardedChild } from '#io/processes';
import type { ClientMessage, FromHostProcess, HostEnd, HostReply, ListenMessage } from './protocol.ts';

/** Maximum number of hosts: each loads its own models and occupies a processor. */
const maxHosts = 4;

/** Holds several model hosts, so that threads need not wait for one another; each starts on first use. */
export class ModelHosts {
  readonly #hosts: readonly ModelHost[];

  /** `clients`: number of threads that use models. */
  constructor(clients: number, options: ModelHostOptions = {}) {
    const count = Math.max(1, Math.min(maxHosts, clients));
    this.#hosts = Array.from({ length: count }, () => new ModelHost(options));
  }

  /** Socket of each host, to be distributed over the threads. */
  get sockets(): readonly string[] {
    return this.#hosts.map(({ socket }) => socket);
  }

  /** Ends all hosts and removes their sockets. */
  async close(): Promise<void> {
    await Promise.all(this.#hosts.map((host) => host.close()));
  }
}

const defaultProgram = new URL('./child/main.ts', import.meta.url);
/** Maximum consecutive failed starts. */
const maxStarts = 3;
/**
 * How long to wait for the end of a host whose connection was lost; if it is still running after that, it is reused.
 */
const endTimeout_ms = 5000;
/** Number of host ends to remember for clients. */
const maxRememberedEnds = 16;

/** Limits and settings of a model host. */
export interface ModelHostOptions {
  /** Resident memory of the host with all its models, in MB. Default 4096. */
  readonly memory_limit_mb?: number;
  /** CPU time per request, after which the host is ended. Default 300. */
  readonly cpu_limit_s?: number;
  /** Time without computation or answer during a request. Default 300. */
  readonly idle_limit_s?: number;
  /** Time without any sign of life during a request, after which the host is considered stopped. Default 300. */
  readonly silent_limit_s?: number;
  /** CPU threads per model. Default: number of processors. */
  readonly threads?: number;
  /** Execution provider for ONNX models. Default `auto`. */
  readonly onnx_provider?: OnnxProviderSetting;
}

interface Running {
  readonly generation: number;
  readonly child: GuardedChild<ListenMessage, FromHostProcess>;
  readonly ready: Promise<void>;
}

/**
 * Manages the model process, which all threads of this process share: it starts when a `ModelClient` first requests
 * it, and is restarted after it has ended. Clients connect to `socket` directly, so tensors do not pass through this
 * thread.
 */
export class ModelHost {
  /** Socket of the host, which identifies it for clients in any thread. */
  readonly socket: string;
  readonly #folder: string | null;
  readonly #limits: ChildLimits;
  readonly #silentLimit_ms: number;
  readonly #listenOptions: Omit<ListenMessage, 'kind' | 'socket'>;
  readonly #program: URL;
  readonly #channel: BroadcastChannel;
  readonly #ends = new Map<number, HostEnd>();
  #running: Running | null = null;
  #generation = 0;
  #lastSignal_ms = 0;
  #closed = false;

  /** `program`: entry point of the child, replaced in tests. */
  constructor(options: ModelHostOptions = {}, program = defaultProgram) {
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
    this.#listenOptions = { threads, onnx_provider };
    this.#program = program;
    this.#channel = new BroadcastChannel(this.socket);
    this.#channel.onmessage = (event) =>
      void this.#receive((event as { data: ClientMessage | HostReply }).data);
    this.#channel.unref();
    process.once('exit', this.#removeFolder);
  }

  /** Process id of the running host, if any. */
  get pid(): number | undefined {
    return this.#running?.child.pid;
  }

  /** Ends the host and removes its socket; no new one is started afterwards. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#channel.close();
    const running = this.#running;
    running?.child.keepParentAlive(true);
    running?.child.kill('models were stopped');
    await running?.child.ended;
    process.off('exit', this.#removeFolder);
    this.#removeFolder();
  }

  readonly #removeFolder = (): void => {
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true });
  };

  async #receive(message: ClientMessage | HostReply): Promise<void> {
    if (message.kind === 'reply') return;
    if (message.kind === 'waiting') return this.#killIfSilent(message.waited_s);
    const { client, request_id, lost } = message;
    if (lost !== null && this.#running?.generation === lost) await this.#awaitEnd(this.#running);
    const running = await this.#ensureHost();
    if (this.#closed) return;
    const end = lost === null ? null : (this.#ends.get(lost) ?? null);
    this.#channel.postMessage({ kind: 'reply', client, request_id, end, ...running } satisfies HostReply);
  }

  async #awaitEnd({ child }: Running): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, endTimeout_ms).unref();
    await Promise.race([child.ended, promise]);
    clearTimeout(timer);
  }

  async #ensureHost(): Promise<Pick<HostReply, 'generation' | 'failure'>> {
    for (let attempt = 1; ; attempt++) {
      if (this.#closed) return { generation: 0, failure: 'models were stopped' };
      const running = this.#running ?? this.#start();
      try {
        await running.ready;
        return { generation: running.generation, failure: null };
      } catch (thrown) {
        if (attempt >= maxStarts) return { generation: 0, failure: messageOf(thrown) };
      }
    }
  }

  #start(): Running {
    const generation = ++this.#generation;
    const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
    // Handled by those who await it.
    ready.catch(() => {});
    this.#lastSignal_ms = performance.now();
    // Remove the socket left by a killed host.
    if (this.#folder !== null) rmSync(this.socket, { force: true });
    const child = new GuardedChild<ListenMessage, FromHostProcess>(this.#program, this.#limits, {
      onMessage: (message) => (message.kind === 'listening' ? resolve() : reject(new Error(message.reason))),
      onAlive: () => {
        this.#lastSignal_ms = performance.now();
      },
      onEnd: (end) => {
        if (this.#running?.generation === generation) this.#running = null;
        this.#ends.set(generation, end);
        this.#ends.delete(generation - maxRememberedEnds);
        reject(new Error(end.reason));
      },
    });
    child.send({ kind: 'listen', socket: this.socket, ...this.#listenOptions });
    this.#running = { generation, child, ready };
    return this.#running;
  }

  /** Kills a host that gives no sign of life. A running host enforces its limits itself; a stopped one cannot. */
  #killIfSilent(waited_s: number): void {
    const silent_ms = performance.now() - this.#lastSignal_ms;
    if (Math.min(silent_ms, waited_s * 1000) <= this.#silentLimit_ms) return;
    this.#running?.child.kill(`did not respond for ${this.#silentLimit_ms / 1000} s`);
  }
}
