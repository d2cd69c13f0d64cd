import { ModelHost, type ModelHostOptions } from './model-host.ts';

/** Each holds its models by itself, and one keeps a processor busy. */
const mostHosts = 4;

/** The processes in which models run, so that several threads need not wait for one; each starts when it is first needed. */
export class ModelHosts {
  readonly #hosts: readonly ModelHost[];

  /** `clients`: threads that ask. */
  constructor(clients: number, options: ModelHostOptions = {}) {
    const count = Math.max(1, Math.min(mostHosts, clients));
    this.#hosts = Array.from({ length: count }, () => new ModelHost(options));
  }

  /** Of each host, for threads to be shared out to. */
  get sockets(): readonly string[] {
    return this.#hosts.map(({ socket }) => socket);
  }

  async close(): Promise<void> {
    await Promise.all(this.#hosts.map((host) => host.close()));
  }
}
