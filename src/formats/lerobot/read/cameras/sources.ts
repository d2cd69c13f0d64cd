import type { SourceRef, Stream } from '#core/episode';
import type { HashScope } from '#io/sources';
import { infoPath } from '../../metadata/info.ts';
import type { LeRobotSet } from '../../metadata/lerobot-set.ts';

/**
 * The files an episode was read from, each hashed once; without `hashes` only the videos are, since nobody but a
 * receipt asks for the others.
 */
export class Sources {
  readonly #set: LeRobotSet;
  readonly #hashes: HashScope;
  readonly #known = new Map<string, SourceRef>();
  #metadata: readonly SourceRef[] | null = null;

  constructor(set: LeRobotSet, hashes: HashScope) {
    this.#set = set;
    this.#hashes = hashes;
  }

  /** What `of` gives, where every file was looked at before; else null. */
  known(data: string, streams: readonly Stream[]): SourceRef[] | null {
    const paths = [data, ...videosOf(streams, data)];
    const sources = paths.flatMap((path) => this.#known.get(path) ?? []);
    return this.#metadata === null || sources.length < paths.length ? null : [...sources, ...this.#metadata];
  }

  /** Data file, videos named by the streams, metadata. */
  async of(data: string, streams: readonly Stream[]): Promise<SourceRef[]> {
    this.#metadata ??= await this.#all();
    const sources = [this.#known.get(data) ?? (await this.#look(data, 'data'))];
    for (const path of videosOf(streams, data))
      sources.push(this.#known.get(path) ?? (await this.#look(path, 'video')));
    sources.push(...this.#metadata);
    return sources;
  }

  #all(): Promise<SourceRef[]> {
    const { tasks, episodes } = this.#set;
    const paths = [infoPath, ...episodes.files, ...(tasks === null ? [] : [tasks.source])];
    return Promise.all(paths.map((path) => this.#look(path, 'metadata')));
  }

  async #look(path: string, role: SourceRef['role']): Promise<SourceRef> {
    const bytes = this.#set.tree.entry(path)?.bytes ?? 0;
    const hash = this.#hashes === 'all' || (this.#hashes === 'media' && role === 'video');
    const source = { path, bytes, sha256: hash ? await this.#set.hasher.sha256(path) : null, role };
    // One data file of a v2 set serves one episode: keeping 100,000 of them helps nobody.
    if (this.#set.layout === 'v3' || role === 'metadata') this.#known.set(path, source);
    return source;
  }
}

/** Files that the streams name beside the data file, each once. */
function videosOf(streams: readonly Stream[], data: string): string[] {
  const paths: string[] = [];
  for (const { frames } of streams) {
    if (frames === undefined || (frames.locator.type !== 'video' && frames.locator.type !== 'missing'))
      continue;
    const { path } = frames.locator;
    if (path !== data && !paths.includes(path)) paths.push(path);
  }
  return paths;
}
