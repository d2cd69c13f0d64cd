import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import type { JsonObject } from '#core';
import { sqlName, sqlText } from '../../shared/parquet/duck.ts';
import type { TrainingVideo } from '../../shared/write/training-episode.ts';
import type { CopiedData, DataFile } from './copy-data.ts';
import type { SetFeatures } from './features.ts';
import type {
  CameraEncoding,
  CopiedEpisode,
  LeRobotLayout,
  MetadataWriter,
  VideoPlacement,
} from './layouts/layout.ts';
import type { SourceTables, StatisticsByFeature } from './source-tables.ts';
import { computeStatistics, type FeatureStatistics } from './statistics.ts';

/** Number of episodes whose source statistics are read per query. */
const statisticsBatch = 128;

interface WritingParts {
  /** Tables by source. */
  readonly tables: readonly SourceTables[];
  readonly features: SetFeatures;
  readonly data: CopiedData;
  readonly videos: VideoPlacements;
  readonly metadata: MetadataWriter;
  readonly signal: AbortSignal;
}

/**
 * Adds each written episode to the metadata writer: tasks, file locations and statistics, computed from the written
 * rows; those of pictures are copied from the source, unless they were encoded.
 */
export async function writeEpisodes(
  connection: DuckDBConnection,
  { tables, features, data, videos, metadata, signal }: WritingParts,
): Promise<void> {
  const columns = numericColumns(features.declaration);
  for (const file of data.files) {
    let copied = new Map<number, StatisticsByFeature>();
    const written = readWrittenEpisodes(connection, file, columns, data.taskColumns);
    for await (const [episode, { tasks, statistics }] of written) {
      signal.throwIfAborted();
      const place = episode.index - file.episodes[0].index;
      if (place % statisticsBatch === 0)
        copied = await readSourceStatistics(
          tables,
          features,
          file.episodes.slice(place, place + statisticsBatch),
        );
      await metadata.add({
        ...episode,
        tasks: tasks.map((task) => data.texts[task]),
        data_file: file.file,
        placements: Object.fromEntries([...videos].map(([camera, all]) => [camera, all[episode.index]])),
        // Rows of a file have one source, so that the source index identifies the episode.
        statistics: {
          ...statistics,
          ...copied.get(episode.source_index),
          ...collectEncodedStatistics(videos, episode),
        },
      });
    }
  }
}

/** Returns the statistics of encoded pictures by camera. */
function collectEncodedStatistics(
  videos: ReadonlyMap<string, readonly VideoPlacement[]>,
  { index }: CopiedEpisode,
): Record<string, FeatureStatistics> {
  return Object.fromEntries(
    [...videos].flatMap(([camera, placed]) => {
      const { statistics } = placed[index];
      return statistics === undefined ? [] : [[camera, { ...statistics }]];
    }),
  );
}

/**
 * Reads the source's statistics of features that are not numeric, e.g. pictures; all episodes have the same source.
 */
async function readSourceStatistics(
  tables: readonly SourceTables[],
  features: SetFeatures,
  episodes: readonly CopiedEpisode[],
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

/** Video locations by camera, in episode order. */
export type VideoPlacements = ReadonlyMap<string, readonly VideoPlacement[]>;

interface CopyCamerasOptions {
  readonly folder: string;
  readonly layout: LeRobotLayout;
  readonly signal: AbortSignal;
  /** Target coding; null to copy packets. */
  readonly encoding: CameraEncoding | null;
  /** New rate if rows are resampled; null otherwise. */
  readonly resampled_hz: number | null;
  /** Called with the number of episodes written since the last call; 0 during an episode. */
  readonly step: (episodes: number) => void;
}

/** Writes the videos of all cameras, copied or encoded, and returns the location of each episode's frames. */
export async function copyCameras(
  { cameras, rate_hz }: Pick<SetFeatures, 'cameras' | 'rate_hz'>,
  copiedEpisodes: readonly CopiedEpisode[],
  { layout, folder, signal, encoding, resampled_hz, step }: CopyCamerasOptions,
): Promise<VideoPlacements> {
  const videos = new Map<string, readonly VideoPlacement[]>();
  const options = {
    ...{ folder, signal, encoding, rate_hz: resampled_hz ?? rate_hz },
    onEpisode: () => step(1),
    onStep: () => step(0),
  };
  for (const { key, source, shift } of cameras) {
    const episodes = copiedEpisodes.map((episode) => ({
      ...episode,
      videos: episode.videos
        .filter((video) => video.key === source)
        .map((video) => shiftVideo(video, key, -shift / rate_hz)),
    }));
    videos.set(key, await layout.copyVideos(key, episodes, options));
  }
  return videos;
}

/**
 * Returns the span of a video for rows `first` to `until`, exclusive; it ends half a frame after its last frame starts.
 */
export function cutVideo(video: TrainingVideo, first: number, until: number, rate_hz: number): TrainingVideo {
  const from_s = video.from_s + first / rate_hz;
  return { ...video, from_s, until_s: from_s + (until - first - 0.5) / rate_hz };
}

/** Returns a video shifted in time, under another camera key. */
function shiftVideo(video: TrainingVideo, key: string, by_s: number): TrainingVideo {
  return { ...video, key, from_s: video.from_s + by_s, until_s: video.until_s + by_s };
}

/** Tasks and statistics of an episode, read from its written rows. */
interface WrittenEpisode {
  /** Task indexes in row order; those of other columns come last. */
  readonly tasks: readonly number[];
  /** Statistics by numeric feature. */
  readonly statistics: Record<string, FeatureStatistics>;
}

interface NumericColumn {
  readonly key: string;
  readonly shape: readonly number[];
}

/** Dtypes without statistics of rows. */
const nonNumericDtypes = new Set(['string', 'image', 'video', 'language']);

/** Lists the features whose statistics are computed from rows. */
function numericColumns(features: JsonObject): NumericColumn[] {
  return Object.entries(features as Record<string, JsonObject>)
    .filter(([, { dtype }]) => !nonNumericDtypes.has(String(dtype)))
    .map(([key, { shape }]) => ({ key, shape: Array.isArray(shape) ? shape.map(Number) : [1] }));
}

/** Reads a written data file episode by episode; holds one episode in memory. */
async function* readWrittenEpisodes(
  connection: DuckDBConnection,
  { path, episodes }: DataFile,
  declared: readonly NumericColumn[],
  taskColumns: readonly string[],
): AsyncGenerator<readonly [CopiedEpisode, WrittenEpisode]> {
  const present = await listColumns(connection, path);
  const columns = declared.filter(({ key }) => present.has(key));
  const tasks = ['task_index', ...taskColumns.filter((name) => present.has(name))];
  const list = [...tasks, ...columns.map(({ key }) => key)].map(sqlName).join(', ');
  const result = await connection.stream(`SELECT ${list} FROM read_parquet(${sqlText(path)})`);
  let place = 0;
  let reading = new EpisodeReader(tasks.length, columns, episodes[0].rows);
  while (place < episodes.length) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) break;
    for (let row = 0; row < chunk.rowCount; ) {
      row = reading.read(chunk, row);
      if (reading.missingRows > 0) continue;
      yield [episodes[place], reading.result()];
      place += 1;
      if (place < episodes.length) reading = new EpisodeReader(tasks.length, columns, episodes[place].rows);
    }
  }
}

/** Returns the columns of a file; declared columns may be missing. */
async function listColumns(connection: DuckDBConnection, path: string): Promise<ReadonlySet<string>> {
  const read = await connection.runAndReadAll(`DESCRIBE SELECT * FROM read_parquet(${sqlText(path)})`);
  return new Set(read.getRows().map(([name]) => String(name)));
}

/** Collects the rows of one episode. */
class EpisodeReader {
  missingRows: number;
  readonly #columns: readonly NumericColumn[];
  readonly #tasks: readonly Set<number>[];
  readonly #values: Float64Array[];
  #filled = 0;

  constructor(taskColumns: number, columns: readonly NumericColumn[], rows: number) {
    this.#tasks = Array.from({ length: taskColumns }, () => new Set());
    this.missingRows = rows;
    this.#columns = columns;
    this.#values = columns.map(({ shape }) => new Float64Array(rows * countValues(shape)).fill(Number.NaN));
  }

  /** Reads the rows from `from` that belong to the episode; returns the first row after them. */
  read(chunk: DuckDBDataChunk, from: number): number {
    const until = Math.min(chunk.rowCount, from + this.missingRows);
    for (const [at, tasks] of this.#tasks.entries()) {
      const vector = chunk.getColumnVector(at);
      for (let row = from; row < until; row++) tasks.add(Number(vector.getItem(row)));
    }
    for (const [at, values] of this.#values.entries()) {
      const vector = chunk.getColumnVector(at + this.#tasks.length);
      const size = countValues(this.#columns[at].shape);
      const first = this.#filled - from;
      for (let row = from; row < until; row++) writeValue(values, (first + row) * size, vector.getItem(row));
    }
    this.#filled += until - from;
    this.missingRows -= until - from;
    return until;
  }

  result(): WrittenEpisode {
    const statistics = this.#columns.map(({ key, shape }, at) => {
      const { count, ...flat } = computeStatistics([this.#values[at]], countValues(shape));
      const nested = Object.entries(flat).map(([name, values]) => [name, reshape(values, shape)]);
      return [key, { ...Object.fromEntries(nested), count }] as const;
    });
    const tasks = new Set(this.#tasks.flatMap((own) => [...own]));
    return { tasks: [...tasks], statistics: Object.fromEntries(statistics) };
  }
}

const countValues = (shape: readonly number[]) => shape.reduce((product, size) => product * size, 1);

/** Writes a value or a nested list from position `at`; null becomes NaN. Returns the next position. */
function writeValue(values: Float64Array, at: number, value: unknown): number {
  if (typeof value === 'object' && value !== null && 'items' in value && Array.isArray(value.items))
    return value.items.reduce((place: number, item: unknown) => writeValue(values, place, item), at);
  if (at < values.length) values[at] = value === null ? Number.NaN : Number(value);
  return at + 1;
}

type Nested = number | readonly Nested[];

/** Nests a flat list into a shape. */
function reshape(values: readonly Nested[], shape: readonly number[]): readonly Nested[] {
  let nested = values;
  for (let depth = shape.length - 1; depth > 0; depth--) {
    const size = shape[depth];
    nested = Array.from({ length: nested.length / size }, (_, at) =>
      nested.slice(at * size, (at + 1) * size),
    );
  }
  return nested;
}
