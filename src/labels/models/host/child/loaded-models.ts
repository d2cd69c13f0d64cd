import { statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Tensors } from '../../contract.ts';
import { hashFile } from '../../weights/hash-file.ts';
import type { ComputedBy, GraphRef, LoadedFile, ModelSpec } from '../protocol.ts';

/** Maximum loaded models; beyond that, the least recently used one is released. */
const maxLoaded = 8;

interface CacheEntry {
  /** Size and modification time; a changed file is reloaded. */
  readonly stamp: string;
  readonly model: LoadedModel;
}

/** Caches the models loaded in this process, at most `maxLoaded`. */
export class LoadedModels {
  readonly #runtimes: ReadonlyMap<string, Runtime>;
  readonly #threads: number;
  /** By runtime and path, least recently used first. */
  readonly #entries = new Map<string, CacheEntry>();

  constructor(runtimes: readonly Runtime[], threads: number) {
    this.#runtimes = new Map(runtimes.map((runtime) => [runtime.id, runtime]));
    this.#threads = threads;
  }

  /**
   * Returns a model from the cache, or loads it if it is new or its file has changed; releases the least recently
   * used one if there is no room.
   */
  async get(ref: GraphRef): Promise<LoadedModel> {
    const { runtime: id, path } = ref;
    const runtime = this.#runtimes.get(id);
    if (runtime === undefined) throw new Error(`the runtime ${id} is not available here`);
    const { size, mtimeMs } = statSync(path);
    const stamp = `${size} ${mtimeMs}`;
    const key = `${id} ${path}`;
    const cached = this.#entries.get(key);
    this.#entries.delete(key);
    if (cached?.stamp === stamp) {
      this.#entries.set(key, cached);
      return cached.model;
    }
    await cached?.model.release();
    await this.#makeRoom();
    const graph = await runtime.load(ref, this.#threads);
    const model = { ...graph, files: await hashFiles(graph.paths) };
    this.#entries.set(key, { stamp, model });
    return model;
  }

  async #makeRoom(): Promise<void> {
    if (this.#entries.size < maxLoaded) return;
    const [[key, oldest]] = this.#entries;
    this.#entries.delete(key);
    await oldest.model.release();
  }
}

/** Returns the name and SHA-256 of each file. */
const hashFiles = (paths: readonly string[]): Promise<readonly LoadedFile[]> =>
  Promise.all(
    paths.map(async (path) => ({
      name: basename(path),
      sha256: (await hashFile(path, new AbortController().signal)).sha256,
    })),
  );

/** Runs models of one file format, inside the host process. */
export interface Runtime {
  /** Id used in `GraphRef.runtime`. */
  readonly id: string;
  /** Loads a graph, to run on `threads` CPU threads. Throws if the file is not in this format. */
  readonly load: (graph: GraphRef, threads: number) => Promise<LoadedGraph>;
}

/** A graph with the files that it was loaded from. */
export interface LoadedModel extends LoadedGraph {
  readonly files: readonly LoadedFile[];
}

/** A graph as a runtime loads it. */
export interface LoadedGraph extends ModelSpec, ComputedBy {
  /** Absolute paths of its files. */
  readonly paths: readonly string[];
  readonly run: (inputs: Tensors) => Promise<Tensors>;
  readonly release: () => Promise<void>;
}
