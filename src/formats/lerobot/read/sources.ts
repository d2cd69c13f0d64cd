import type { SourceRef, Stream } from '#core/episode';
import type { HashScope } from '#io/sources';
import { infoPath } from '../metadata/info.ts';
import type { LeRobotSet } from '../metadata/lerobot-set.ts';

/** Source files of episodes, each hashed once. Scope `all` hashes all files, `media` only videos, `none` none. */
export class Sources {
  readonly #set: LeRobotSet;
  readonly #hashes: HashScope;
  readonly #cache = new Map<string, SourceRef>();
  #metadata: readonly SourceRef[] | null = null;

  constructor(set: LeRobotSet, hashes: HashScope) {
    this.#set = set;
    this.#hashes = hashes;
  }

  /** Returns the same as `load` if all files are cached; null otherwise. */
  getCached(data: string, streams: readonly Stream[]): SourceRef[] | null {
    const paths = [data, ...listVideoPaths(streams, data)];
    const sources = paths.flatMap((path) => this.#cache.get(path) ?? []);
    return this.#metadata === null || sources.length < paths.length ? null : [...sources, ...this.#metadata];
  }

  /**
   * Returns the data file, the videos of the streams and the metadata files, with sizes and the hashes of the scope;
   * computes what is not cached.
   */
  async load(data: string, streams: readonly Stream[]): Promise<SourceRef[]> {
    this.#metadata ??= await this.#loadMetadata();
    const sources = [this.#cache.get(data) ?? (await this.#loadFile(data, 'data'))];
    for (const path of listVideoPaths(streams, data))
      sources.push(this.#cache.get(path) ?? (await this.#loadFile(path, 'video')));
    sources.push(...this.#metadata);
    return sources;
  }

  #loadMetadata(): Promise<SourceRef[]> {
    const { tasks, episodes } = this.#set;
    const paths = [infoPath, ...episodes.files, ...(tasks === null ? [] : [tasks.source])];
    return Promise.all(paths.map((path) => this.#loadFile(path, 'metadata')));
  }

  async #loadFile(path: string, role: SourceRef['role']): Promise<SourceRef> {
    const bytes = this.#set.tree.entry(path)?.bytes ?? 0;
    const hash = this.#hashes === 'all' || (this.#hashes === 'media' && role === 'video');
    const source = { path, bytes, sha256: hash ? await this.#set.hasher.sha256(path) : null, role };
    // A v2 data file belongs to one episode, so caching it is useless.
    if (this.#set.layout === 'v3' || role === 'metadata') this.#cache.set(path, source);
    return source;
  }
}

/** Lists the video files of the streams, each once. */
function listVideoPaths(streams: readonly Stream[], data: string): string[] {
  const paths: string[] = [];
  for (const { frames } of streams) {
    if (frames === undefined || (frames.locator.type !== 'video' && frames.locator.type !== 'missing'))
      continue;
    const { path } = frames.locator;
    if (path !== data && !paths.includes(path)) paths.push(path);
  }
  return paths;
}
