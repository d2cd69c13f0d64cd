import { statSync } from 'node:fs';
import type { GraphRef } from '../messages.ts';
import type { LoadedModel, Runtime } from './runtime.ts';

/** Models kept loaded; beyond that the one that was not used for longest goes. */
const mostLoaded = 8;

interface Entry {
  /** Size and time of change: a file written anew is loaded anew. */
  readonly stamp: string;
  readonly model: LoadedModel;
}

/** Models of this process, each loaded once for all who ask. */
export class LoadedModels {
  readonly #runtimes: ReadonlyMap<string, Runtime>;
  readonly #threads: number;
  /** By runtime and path, the one used last at the end. */
  readonly #entries = new Map<string, Entry>();

  constructor(runtimes: readonly Runtime[], threads: number) {
    this.#runtimes = new Map(runtimes.map((runtime) => [runtime.id, runtime]));
    this.#threads = threads;
  }

  async get(ref: GraphRef): Promise<LoadedModel> {
    const { runtime: id, path } = ref;
    const runtime = this.#runtimes.get(id);
    if (runtime === undefined) throw new Error(`there is no runtime ${id} here`);
    const { size, mtimeMs } = statSync(path);
    const stamp = `${size} ${mtimeMs}`;
    const key = `${id} ${path}`;
    const known = this.#entries.get(key);
    this.#entries.delete(key);
    if (known?.stamp === stamp) {
      this.#entries.set(key, known);
      return known.model;
    }
    await known?.model.release();
    await this.#makeRoom();
    const model = await runtime.load(ref, this.#threads);
    this.#entries.set(key, { stamp, model });
    return model;
  }

  async #makeRoom(): Promise<void> {
    if (this.#entries.size < mostLoaded) return;
    const [[key, oldest]] = this.#entries;
    this.#entries.delete(key);
    await oldest.model.release();
  }
}
