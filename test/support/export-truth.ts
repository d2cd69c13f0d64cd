import { createHash } from 'node:crypto';
import { type Episode, type Stream, timesOf } from '#core/episode';
import { type Dataset, discover, readPictureStream } from '#formats';

/** Hashes of the stream values that an export of rows must contain for some episodes. */
export interface RowsTruth {
  readonly ends: readonly number[];
  /** SHA-256 of the numbers as float64, by stream. */
  readonly numbers: Readonly<Record<string, string>>;
  /** SHA-256 of the pictures as recorded, by camera. */
  readonly pictures: Readonly<Record<string, string>>;
}

/** An episode laid on rows: for each stream the places of its samples, and its picture files by place. */
interface LaidEpisode {
  readonly episode: Episode;
  readonly rows: number;
  places(stream: Stream): readonly number[];
  pictures(stream: Stream): Promise<ReadonlyMap<number, Uint8Array>>;
}

/**
 * Reads episodes straight from their reader and lays them on rows: at the stamps of `reference`, each stream by its
 * latest sample (found by looking at all of them); null: sample i is row i.
 */
export async function* laidEpisodes(
  path: string,
  only: readonly number[],
  reference: string | null,
): AsyncGenerator<LaidEpisode> {
  const { datasets } = await discover(path);
  const [{ dataset }] = datasets;
  for (const unit of dataset.units)
    for await (const episode of dataset.read(unit, {})) {
      if ('unreadable' in episode || !only.includes(episode.index)) continue;
      const rows = rowsOf(episode, reference);
      const places = (stream: Stream) =>
        reference === null ? rows : rows.map((time) => latest(timesOf(stream) ?? new Float64Array(), time));
      yield { episode, rows: rows.length, places, pictures: (stream) => filesOf(dataset, episode, stream) };
    }
  await dataset.close();
}

async function filesOf(dataset: Dataset, episode: Episode, stream: Stream): Promise<Map<number, Uint8Array>> {
  const files = new Map<number, Uint8Array>();
  const locator = stream.frames?.locator;
  if (locator?.type !== 'embedded') return files;
  const log_s = stream.clocks.find(({ provenance }) => provenance === 'log')?.time_s ?? null;
  const wanted = { locator, episode_index: episode.index, start_ns: episode.start_ns };
  for await (const picture of readPictureStream(dataset, { ...wanted, rows: stream.sample_count, log_s }))
    files.set(picture.index, picture.bytes);
  return files;
}

/** The hashes of what rows must hold. */
export async function rowsTruth(
  path: string,
  only: readonly number[],
  reference: string | null,
): Promise<RowsTruth> {
  const numbers = new Hashes();
  const pictures = new Hashes();
  const ends: number[] = [];
  for await (const { episode, rows, places, pictures: filesOf } of laidEpisodes(path, only, reference)) {
    ends.push((ends.at(-1) ?? 0) + rows);
    for (const stream of episode.streams) {
      const { series, frames } = stream;
      if (series !== undefined)
        for (const place of places(stream)) {
          const own = series.values.subarray(place * series.dims, (place + 1) * series.dims);
          numbers.add(stream.id, new Uint8Array(Float64Array.from(own).buffer));
        }
      if (frames?.locator.type !== 'embedded') continue;
      const files = await filesOf(stream);
      for (const place of places(stream)) pictures.add(stream.id, files.get(place)!);
    }
  }
  return { ends, numbers: numbers.digests(), pictures: pictures.digests() };
}

/** Rows by number, or the stamps of the reference that lie within all cameras, actions and states. */
function rowsOf({ streams }: Episode, reference: string | null): number[] {
  const own = streams.find(({ id }) => id === reference);
  if (own === undefined) return Array.from({ length: streams[0].sample_count }, (_, row) => row);
  const needed = streams
    .filter(({ role }) => ['camera', 'action', 'state'].includes(role))
    .map((one) => timesOf(one)!);
  const from = Math.max(...needed.map((times) => times[0]));
  const age = (times: Float64Array, time: number) => time - times[latest(times, time)];
  const usual = (times: Float64Array) => {
    const steps = [...times].slice(1).map((time, i) => time - times[i]);
    return Math.max(0.02, 2 * steps.sort((a, b) => a - b)[steps.length >> 1]);
  };
  return [...timesOf(own)!].filter(
    (time) => time >= from - 1e-6 && needed.every((one) => age(one, time) <= usual(one)),
  );
}

function latest(times: Float64Array, wanted: number): number {
  let found = -1;
  for (const [place, time] of times.entries()) if (time <= wanted + 1e-6) found = place;
  return found;
}

class Hashes {
  readonly #all = new Map<string, ReturnType<typeof createHash>>();

  add(key: string, bytes: Uint8Array): void {
    const own = this.#all.get(key) ?? createHash('sha256');
    own.update(bytes);
    this.#all.set(key, own);
  }

  digests(): Record<string, string> {
    return Object.fromEntries([...this.#all].map(([key, hash]) => [key, hash.digest('hex')]));
  }
}
