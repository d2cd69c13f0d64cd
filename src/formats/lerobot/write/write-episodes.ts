import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import type { JsonObject } from '#core';
import type { TrainingVideo } from '../../shared/write/training-episode.ts';
import type { CopiedData, DataFile } from './copy-data.ts';
import type { SetFeatures } from './features.ts';
import type { KeptEpisode, PlacedVideo } from './kept-episode.ts';
import type { CameraEncoding, LeRobotLayout, MetadataWriter } from './layout.ts';
import type { SourceTables } from './source-tables.ts';
import { named, quoted } from './sql.ts';
import type { FeatureStatistics } from './statistics/aggregate-statistics.ts';
import { poolStatistics } from './statistics/statistics.ts';
import type { StatisticsByFeature } from './statistics/statistics-lines.ts';

/** Episodes whose statistics are looked up in the source together. */
const batch = 128;

interface WritingParts {
  /** By source. */
  readonly tables: readonly SourceTables[];
  readonly features: SetFeatures;
  readonly data: CopiedData;
  readonly videos: PlacedVideos;
  readonly metadata: MetadataWriter;
  readonly signal: AbortSignal;
}

/** Tells the metadata of each episode: its tasks, places and statistics, read from the rows that were written. */
export async function writeEpisodes(
  connection: DuckDBConnection,
  { tables, features, data, videos, metadata, signal }: WritingParts,
): Promise<void> {
  const columns = numericColumns(features.declaration);
  for (const file of data.files) {
    let given = new Map<number, StatisticsByFeature>();
    const written = writtenEpisodes(connection, file, columns, data.taskColumns);
    for await (const [episode, { tasks, statistics }] of written) {
      signal.throwIfAborted();
      const place = episode.index - file.episodes[0].index;
      if (place % batch === 0)
        given = await givenStatistics(tables, features, file.episodes.slice(place, place + batch));
      await metadata.add({
        ...episode,
        tasks: tasks.map((task) => data.texts[task]),
        data_file: file.file,
        placed: Object.fromEntries([...videos].map(([camera, all]) => [camera, all[episode.index]])),
        // Rows of a file are of one source, so that its index tells an episode.
        statistics: {
          ...statistics,
          ...given.get(episode.source_index),
          ...encodedStatistics(videos, episode),
        },
      });
    }
  }
}

/** Of pictures that were encoded on the way. */
function encodedStatistics(
  videos: ReadonlyMap<string, readonly PlacedVideo[]>,
  { index }: KeptEpisode,
): Record<string, FeatureStatistics> {
  return Object.fromEntries(
    [...videos].flatMap(([camera, placed]) => {
      const { statistics } = placed[index];
      return statistics === undefined ? [] : [[camera, { ...statistics }]];
    }),
  );
}

/** Of what is not in the rows, pictures, as the source says it; of episodes of one source. */
async function givenStatistics(
  tables: readonly SourceTables[],
  features: SetFeatures,
  episodes: readonly KeptEpisode[],
): Promise<Map<number, StatisticsByFeature>> {
  const own = new Set(numericColumns(features.declaration).map(({ key }) => key));
  const rest = features.all.filter(({ key }) => !own.has(key));
  const given = await tables[episodes[0].source].statistics(
    rest.map(({ source }) => source),
    [...new Set(episodes.map(({ source_index }) => source_index))],
  );
  const renamed = (statistics: StatisticsByFeature) =>
    Object.fromEntries(
      rest.flatMap(({ key, source }) => (source in statistics ? [[key, statistics[source]]] : [])),
    );
  return new Map([...given].map(([episode, statistics]) => [episode, renamed(statistics)]));
}

/** By camera: where the frames of each episode lie, in the order of the episodes. */
export type PlacedVideos = ReadonlyMap<string, readonly PlacedVideo[]>;

interface CopyCamerasOptions {
  readonly folder: string;
  readonly layout: LeRobotLayout;
  readonly signal: AbortSignal;
  /** Null: packets are copied. */
  readonly encoding: CameraEncoding | null;
  /** Rows a second of the new set, where it is another than the source's. */
  readonly resampled_hz: number | null;
  /** Hears of how many more episodes the frames are written; 0: it is still at one. */
  readonly step: (episodes: number) => void;
}

/** Writes the videos of every camera of the new set. */
export async function copyCameras(
  { cameras, rate_hz }: Pick<SetFeatures, 'cameras' | 'rate_hz'>,
  kept: readonly KeptEpisode[],
  { layout, folder, signal, encoding, resampled_hz, step }: CopyCamerasOptions,
): Promise<PlacedVideos> {
  const videos = new Map<string, readonly PlacedVideo[]>();
  const options = {
    ...{ folder, signal, encoding, rate_hz: resampled_hz ?? rate_hz },
    onEpisode: () => step(1),
    onStep: () => step(0),
  };
  for (const { key, source, shift } of cameras) {
    const episodes = kept.map((episode) => ({
      ...episode,
      videos: episode.videos
        .filter((video) => video.key === source)
        .map((video) => moved(video, key, -shift / rate_hz)),
    }));
    videos.set(key, await layout.copyVideos(key, episodes, options));
  }
  return videos;
}

/** Frames of some rows only. */
export function part(video: TrainingVideo, first: number, until: number, rate_hz: number): TrainingVideo {
  const from_s = video.from_s + first / rate_hz;
  return { ...video, from_s, until_s: from_s + (until - first - 0.5) / rate_hz };
}

/** Shown earlier or later, under another name. */
function moved(video: TrainingVideo, key: string, by_s: number): TrainingVideo {
  return { ...video, key, from_s: video.from_s + by_s, until_s: video.until_s + by_s };
}

/** What an episode's rows say, read from the file that holds them now. */
interface WrittenEpisode {
  /** Indexes of its tasks, in the order of its rows; those that other columns name come last. */
  readonly tasks: readonly number[];
  /** By numeric feature. */
  readonly statistics: Record<string, FeatureStatistics>;
}

interface NumericColumn {
  readonly key: string;
  readonly shape: readonly number[];
}

const apart = new Set(['string', 'image', 'video', 'language']);

/** Features whose statistics follow from the rows. */
function numericColumns(features: JsonObject): NumericColumn[] {
  return Object.entries(features as Record<string, JsonObject>)
    .filter(([, { dtype }]) => !apart.has(String(dtype)))
    .map(([key, { shape }]) => ({ key, shape: Array.isArray(shape) ? shape.map(Number) : [1] }));
}

/** Reads a data file of the new set, episode by episode, holding one of them. */
async function* writtenEpisodes(
  connection: DuckDBConnection,
  { path, episodes }: DataFile,
  declared: readonly NumericColumn[],
  taskColumns: readonly string[],
): AsyncGenerator<readonly [KeptEpisode, WrittenEpisode]> {
  const present = await columnsIn(connection, path);
  const columns = declared.filter(({ key }) => present.has(key));
  const tasks = ['task_index', ...taskColumns.filter((name) => present.has(name))];
  const list = [...tasks, ...columns.map(({ key }) => key)].map(named).join(', ');
  const result = await connection.stream(`SELECT ${list} FROM read_parquet(${quoted(path)})`);
  let place = 0;
  let reading = new EpisodeReader(tasks.length, columns, episodes[0].rows);
  while (place < episodes.length) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) break;
    for (let row = 0; row < chunk.rowCount; ) {
      row = reading.take(chunk, row);
      if (reading.wanted > 0) continue;
      yield [episodes[place], reading.result()];
      place += 1;
      if (place < episodes.length) reading = new EpisodeReader(tasks.length, columns, episodes[place].rows);
    }
  }
}

/** A column may be declared and not be there. */
async function columnsIn(connection: DuckDBConnection, path: string): Promise<ReadonlySet<string>> {
  const read = await connection.runAndReadAll(`DESCRIBE SELECT * FROM read_parquet(${quoted(path)})`);
  return new Set(read.getRows().map(([name]) => String(name)));
}

class EpisodeReader {
  wanted: number;
  readonly #columns: readonly NumericColumn[];
  readonly #tasks: readonly Set<number>[];
  readonly #values: Float64Array[];
  #filled = 0;

  constructor(taskColumns: number, columns: readonly NumericColumn[], rows: number) {
    this.#tasks = Array.from({ length: taskColumns }, () => new Set());
    this.wanted = rows;
    this.#columns = columns;
    this.#values = columns.map(({ shape }) => new Float64Array(rows * sizeOf(shape)).fill(Number.NaN));
  }

  /** Takes the rows from `from` on that are its own; gives the first that is not. */
  take(chunk: DuckDBDataChunk, from: number): number {
    const until = Math.min(chunk.rowCount, from + this.wanted);
    for (const [at, tasks] of this.#tasks.entries()) {
      const vector = chunk.getColumnVector(at);
      for (let row = from; row < until; row++) tasks.add(Number(vector.getItem(row)));
    }
    for (const [at, values] of this.#values.entries()) {
      const vector = chunk.getColumnVector(at + this.#tasks.length);
      const size = sizeOf(this.#columns[at].shape);
      const first = this.#filled - from;
      for (let row = from; row < until; row++) put(values, (first + row) * size, vector.getItem(row));
    }
    this.#filled += until - from;
    this.wanted -= until - from;
    return until;
  }

  result(): WrittenEpisode {
    const statistics = this.#columns.map(({ key, shape }, at) => {
      const { count, ...flat } = poolStatistics([this.#values[at]], sizeOf(shape));
      const nested = Object.entries(flat).map(([name, values]) => [name, inShape(values, shape)]);
      return [key, { ...Object.fromEntries(nested), count }] as const;
    });
    const tasks = new Set(this.#tasks.flatMap((own) => [...own]));
    return { tasks: [...tasks], statistics: Object.fromEntries(statistics) };
  }
}

const sizeOf = (shape: readonly number[]) => shape.reduce((product, size) => product * size, 1);

/** Writes a value, or the numbers of a list of any depth, behind what is there. Null is no number. */
function put(values: Float64Array, at: number, value: unknown): number {
  if (typeof value === 'object' && value !== null && 'items' in value && Array.isArray(value.items))
    return value.items.reduce((place: number, item: unknown) => put(values, place, item), at);
  if (at < values.length) values[at] = value === null ? Number.NaN : Number(value);
  return at + 1;
}

type Nested = number | readonly Nested[];

function inShape(values: readonly Nested[], shape: readonly number[]): readonly Nested[] {
  let nested = values;
  for (let depth = shape.length - 1; depth > 0; depth--) {
    const size = shape[depth];
    nested = Array.from({ length: nested.length / size }, (_, at) =>
      nested.slice(at * size, (at + 1) * size),
    );
  }
  return nested;
}
