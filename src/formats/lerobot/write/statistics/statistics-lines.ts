import { createReadStream, existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { AssayError, messageOf, parseTolerantJson } from '#core';

/** Statistics by feature and name: `{"action": {"min": [..], ..}}`. */
export type StatisticsByFeature = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** meta/episodes_stats.jsonl of version 2.1: where each line lies is held, not the lines. */
export class StatisticsLines {
  readonly #path: string;
  readonly #file: FileHandle | null;
  readonly #places: readonly (readonly [from: number, bytes: number])[];
  /** Place in the file by episode. */
  readonly #byEpisode = new Map<number, number>();

  private constructor(
    path: string,
    file: FileHandle | null,
    places: readonly (readonly [from: number, bytes: number])[],
  ) {
    this.#path = path;
    this.#file = file;
    this.#places = places;
  }

  /** Sets of version 2.0 have no such file; then nothing is known of any episode. */
  static async open(path: string): Promise<StatisticsLines> {
    if (!existsSync(path)) return new StatisticsLines(path, null, []);
    const places = await linesOf(path);
    const lines = new StatisticsLines(path, await open(path, 'r'), places);
    for (const place of places.keys()) {
      const row = await lines.#row(place);
      if (row !== null) lines.#byEpisode.set(row.episode_index, place);
    }
    return lines;
  }

  async read(
    features: readonly string[],
    episodes: readonly number[],
  ): Promise<Map<number, StatisticsByFeature>> {
    const read = new Map<number, StatisticsByFeature>();
    for (const episode of episodes) {
      const row = await this.#row(this.#byEpisode.get(episode));
      if (row === null) continue;
      const own = Object.entries(row.stats).filter(([key]) => features.includes(key));
      read.set(episode, Object.fromEntries(own));
    }
    return read;
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }

  async #row(
    place: number | undefined,
  ): Promise<{ episode_index: number; stats: StatisticsByFeature } | null> {
    if (place === undefined || this.#file === null) return null;
    const [from, bytes] = this.#places[place];
    const line = Buffer.alloc(bytes);
    await this.#file.read(line, 0, bytes, from);
    const text = line.toString('utf8').trim();
    if (text === '') return null;
    try {
      const { value } = parseTolerantJson(text, this.#path);
      return value as unknown as { episode_index: number; stats: StatisticsByFeature };
    } catch (thrown) {
      throw new AssayError('unreadable_input', `line ${place + 1} of ${this.#path}: ${messageOf(thrown)}`, {
        path: this.#path,
        advice: 'assay assess says what else is wrong with the set; mend the line first',
      });
    }
  }
}

const newline = 10;

async function linesOf(path: string): Promise<(readonly [from: number, bytes: number])[]> {
  const places: [number, number][] = [];
  let from = 0;
  let at = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, end + 1)) {
      places.push([from, at + end - from]);
      from = at + end + 1;
    }
    at += chunk.length;
  }
  if (at > from) places.push([from, at - from]);
  return places;
}
