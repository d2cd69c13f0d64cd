/** A span of a video file as the set's metadata gives it. */
export interface VideoSpan {
  readonly path: string;
  readonly from_s: number;
  /** Null: to the end of the file. */
  readonly to_s: number | null;
}

/** What the metadata says of every episode, in columns: 100,000 episodes cost a few megabytes. */
export interface EpisodeTable {
  /** Metadata files it was read from. */
  readonly files: readonly string[];
  readonly count: number;
  /** Value of episode_index, by row of the table. */
  readonly index: Int32Array;
  /** Declared rows, −1 where not declared. */
  readonly length: Int32Array;
  rowOf(episode: number): number | undefined;
  /** First row in the whole set and the one past the last, as declared; null where they are not. */
  rowRange(row: number): readonly [from: number, to: number] | null;
  /** Declared rows of the episodes before this one. */
  rowsBefore(row: number): number;
  /** Null where the table does not carry tasks. */
  tasks(row: number): readonly string[] | null;
  /** The data file the metadata points to, which may be absent; null where it does not say. */
  dataPath(row: number): string | null;
  video(row: number, camera: string): VideoSpan | null;
}

/** Row by value of episode_index; the first row wins where a value is repeated. */
export function rowLookup(index: Int32Array): (episode: number) => number | undefined {
  let identity = true;
  for (let row = 0; row < index.length && identity; row++) identity = index[row] === row;
  if (identity) return (episode) => (episode >= 0 && episode < index.length ? episode : undefined);
  const rows = new Map<number, number>();
  for (let row = index.length - 1; row >= 0; row--) rows.set(index[row], row);
  return (episode) => rows.get(episode);
}

/** Declared rows before each row of the table, counted once it is asked. */
export function rowsBefore(length: Int32Array): (row: number) => number {
  let before: Float64Array | null = null;
  return (row) => {
    if (before === null) {
      before = new Float64Array(length.length);
      for (let at = 1; at < length.length; at++) before[at] = before[at - 1] + Math.max(0, length[at - 1]);
    }
    return before[row];
  };
}

/** Texts that repeat, kept once. */
export class Interned {
  readonly #ids = new Map<string, number>();
  readonly values: string[] = [];

  idOf(text: string): number {
    let id = this.#ids.get(text);
    if (id === undefined) {
      id = this.values.length;
      this.values.push(text);
      this.#ids.set(text, id);
    }
    return id;
  }
}

/** Keeps the task texts of an episode apart where they are joined: no text holds it. chr(31) in SQL. */
export const taskSeparator = '\u001f';

export function splitTasks(joined: string): readonly string[] {
  return joined === '' ? [] : joined.split(taskSeparator);
}

/** Paths filled in once for each pair of chunk and file; templates that name the episode are filled in every time. */
export class PathCache {
  readonly #fill: (chunk: number, file: number, episode: number) => string | null;
  readonly #perEpisode: boolean;
  readonly #paths = new Map<number, string | null>();

  constructor(template: string, fill: (chunk: number, file: number, episode: number) => string | null) {
    this.#fill = fill;
    this.#perEpisode = template.includes('{episode');
  }

  path(chunk: number, file: number, episode: number): string | null {
    if (this.#perEpisode) return this.#fill(chunk, file, episode);
    const key = chunk * 0x1_0000_0000 + file;
    let path = this.#paths.get(key);
    if (path === undefined) {
      path = this.#fill(chunk, file, episode);
      this.#paths.set(key, path);
    }
    return path;
  }
}
