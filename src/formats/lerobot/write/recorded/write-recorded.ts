import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { AssayError, type JsonObject } from '#core';
import type { ExportWriter, WriterOptions, WrittenSet } from '../../../shared/write/export-format.ts';
import type { ExportEpisode } from '../../../shared/write/set/export-episode.ts';
import type { SetPlan } from '../../../shared/write/set/plan-set.ts';
import { resolveEncoding } from '../encoding.ts';
import { languageFeatures, languageLayers } from '../language/language-features.ts';
import { createLanguageRows, type LanguageRow, recordedRowTimes } from '../language/persistent-rows.ts';
import type { LeRobotLayout, MetadataWriter, VideoPlacement } from '../layouts/layout.ts';
import { Sidecars } from '../sidecars.ts';
import { computeStatistics, type FeatureStatistics } from '../statistics.ts';
import { CameraVideos } from './camera-videos.ts';
import { DataFiles, type RecordedRows } from './data-files.ts';
import { declareFeatures, type RecordedFeatures, resolveRecordedFeatures } from './recorded-features.ts';

/** Layout and file sizes of a LeRobot version. */
export interface RecordedLayout {
  readonly layout: LeRobotLayout;
  readonly data_bytes: number;
  readonly video_bytes: number;
  /** Returns the path of a camera's video file in the set. */
  readonly videoPath: (camera: string, file: number) => string;
}

/**
 * Opens a writer that converts recordings to a LeRobot set of the given version, at the plan's rate rounded to whole
 * Hz; throws `usage` if it is unknown or below 0.5 Hz.
 */
export async function openRecordedWriter(
  options: WriterOptions,
  version: RecordedLayout,
): Promise<ExportWriter> {
  const { plan, folder } = options;
  if (plan.rate_hz === null || !(plan.rate_hz >= 0.5))
    throw new AssayError('usage', 'the frame rate is unknown, and LeRobot requires one', {
      advice: 'set it with --rate HZ',
    });
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const spill = { memory_limit: `${computeMemory_mb(plan)}MB`, temp_directory: join(folder, '.spill') };
  const instance = await DuckDBInstance.create(':memory:', { threads: '2', ...spill });
  const connection = await instance.connect();
  const metadata = await version.layout.openMetadata(folder, connection);
  return new RecordedWriter(options, version, { instance, connection, metadata });
}

/**
 * Computes the memory limit of the engine in MB. Each table column takes buffers for thousands of rows, and each
 * feature has ten statistics columns; flights have hundreds of features.
 */
function computeMemory_mb({ features, cameras }: SetPlan): number {
  return 256 + 4 * Math.max(0, features.length + cameras.length - 30);
}

/** Opened database and metadata writer. */
interface OpenedTables {
  readonly instance: DuckDBInstance;
  readonly connection: DuckDBConnection;
  readonly metadata: MetadataWriter;
}

/** Writes recorded episodes as a LeRobot set. */
class RecordedWriter implements ExportWriter {
  readonly #options: WriterOptions;
  readonly #opened: OpenedTables;
  readonly #features: RecordedFeatures;
  readonly #rate_hz: number;
  readonly #data: DataFiles;
  readonly #sidecars: Sidecars;
  readonly #cameras: ReadonlyMap<string, CameraVideos>;
  readonly #tasks: string[] = [];
  /** Source index of each episode. */
  readonly #recordings: number[] = [];

  constructor(options: WriterOptions, files: RecordedLayout, opened: OpenedTables) {
    const { plan, folder, signal, onStep } = options;
    this.#options = options;
    this.#opened = opened;
    this.#features = resolveRecordedFeatures(plan);
    this.#rate_hz = Math.max(1, Math.round(plan.rate_hz ?? 1));
    const rate_hz = this.#rate_hz;
    const { layout, data_bytes, video_bytes, videoPath } = files;
    const { connection } = opened;
    const features = this.#features.numbers;
    this.#data = new DataFiles({
      ...{ folder, connection, features, rate_hz },
      file_bytes: data_bytes,
      pathOf: (file) => layout.dataPath(file),
      ...{ language: this.#hasLanguage, spill: join(folder, '.spill'), memory_mb: computeMemory_mb(plan) },
    });
    this.#sidecars = new Sidecars(folder, join(folder, '.spill'));
    const scratch = join(folder, '.spill', 'units');
    const encoding = resolveEncoding(plan.steps, null);
    const own = { folder, scratch, rate_hz, file_bytes: video_bytes, encoding, signal, onStep };
    this.#cameras = new Map(
      this.#features.cameras.map(({ key, stream }) => [
        key,
        new CameraVideos(key, stream, { ...own, pathOf: (file) => videoPath(key, file) }),
      ]),
    );
  }

  async add(episode: ExportEpisode): Promise<void> {
    if (episode.rows === 0) throw createEmptyEpisodeError(episode);
    const [text = ''] = episode.tasks;
    if (!this.#tasks.includes(text)) this.#tasks.push(text);
    const task = this.#tasks.indexOf(text);
    const values = this.#values(episode);
    const from_row = this.#data.rows;
    const texts = this.#languageRows(episode);
    const data_file = await this.#data.add(episode, values, task, texts?.map(({ row }) => row) ?? null);
    await this.#sidecars.addTexts(episode.index, texts ?? []);
    await this.#addSightings(episode);
    const placements: Record<string, VideoPlacement> = {};
    const statistics = this.#statistics(episode, values, { from_row, task });
    for (const [key, videos] of this.#cameras) {
      const { statistics: own, ...written } = await videos.add(episode);
      placements[key] = written;
      statistics[key] = { ...own };
    }
    const { id, index: source_index } = episode.episode;
    const copied = {
      id,
      source: 0,
      source_index,
      data: '',
      index: episode.index,
      rows: episode.rows,
      from_row,
      videos: [],
      first: 0,
      until: episode.rows,
      sourceRows: null,
      isWhole: true,
    };
    await this.#opened.metadata.add({ ...copied, tasks: [text], data_file, placements, statistics });
    this.#recordings.push(source_index);
  }

  async finish(): Promise<WrittenSet> {
    const { plan } = this.#options;
    const { metadata, connection } = this.#opened;
    await this.#data.finish();
    await this.#sidecars.finish(connection);
    const cameras = [];
    for (const [key, videos] of this.#cameras) {
      await videos.close();
      cameras.push({ key, ...videos.format });
    }
    const episodes = this.#recordings.length;
    const declared = declareFeatures(this.#features, cameras, this.#rate_hz);
    const features = this.#hasLanguage ? { ...declared, ...languageFeatures } : declared;
    await metadata.finish({
      info: { robot_type: plan.robot ?? 'unknown', fps: this.#rate_hz, features },
      episodes,
      frames: this.#data.rows,
      cameras: cameras.length,
      tasks: this.#tasks,
      splits: plan.steps.find(({ splits }) => splits !== undefined)?.splits?.(this.#recordings) ?? {
        train: `0:${episodes}`,
      },
    });
    return { rows: this.#data.rows, edits: [...plan.edits, ...this.#edits()] };
  }

  async close(): Promise<void> {
    const { metadata, connection, instance } = this.#opened;
    for (const videos of this.#cameras.values()) await videos.close();
    await this.#data.close();
    await this.#sidecars.close();
    await metadata.close();
    connection.closeSync();
    instance.closeSync();
    await rm(join(this.#options.folder, '.spill'), { recursive: true, force: true });
  }

  /** Lists the edits for the export report. */
  #edits(): JsonObject[] {
    const { plan } = this.#options;
    const joined = this.#features.numbers.filter(
      ({ key, parts }) => parts[0].key !== key || parts.length > 1,
    );
    return [
      ...joined.map(({ key, parts }) => ({
        edit: 'rename',
        feature: key,
        from: parts.map(({ stream }) => stream),
      })),
      ...this.#features.cameras.flatMap(({ key, stream }) =>
        createVideoEdits(key, stream, this.#cameras.get(key)!),
      ),
      ...(plan.rate_hz === this.#rate_hz
        ? []
        : [
            {
              edit: 'round_rate',
              from_hz: plan.rate_hz,
              to_hz: this.#rate_hz,
              reason: `${plan.rate_hz} Hz was rounded to ${this.#rate_hz} Hz: LeRobot requires an integer fps`,
            },
          ]),
    ];
  }

  async #addSightings(episode: ExportEpisode): Promise<void> {
    const { annotated, index, rows } = episode;
    if (annotated === null) return;
    const cameras = this.#features.cameras.map(({ key, stream }) => {
      const shown = episode.pictureIndices(stream);
      return { key, stream, pictureOf: (row: number) => shown[row] };
    });
    const stamp_s = (row: number) => row / this.#rate_hz;
    await this.#sidecars.add(annotated.sightings, { index, rows, stamp_s, cameras });
  }

  /** True if annotations are written to LeRobot's language columns. */
  get #hasLanguage(): boolean {
    return languageLayers.some((layer) => this.#options.layers.has(layer));
  }

  #languageRows({ annotated, tasks, grid }: ExportEpisode): LanguageRow[] | null {
    if (annotated === null || !this.#hasLanguage) return null;
    return createLanguageRows({ ...annotated, tasks }, recordedRowTimes(grid.time_s, this.#rate_hz));
  }

  #values(episode: ExportEpisode): RecordedRows {
    return new Map(
      this.#features.numbers.map(({ key, dtype, dims, parts }) => {
        const length = episode.rows * dims;
        const all = dtype === 'float64' ? new Float64Array(length) : new Float32Array(length);
        let from = 0;
        for (const part of parts) {
          const { values } = episode.feature(part);
          for (let row = 0; row < episode.rows; row++)
            all.set(values.subarray(row * part.dims, (row + 1) * part.dims), row * dims + from);
          from += part.dims;
        }
        return [key, all] as const;
      }),
    );
  }

  #statistics(
    { rows, index }: ExportEpisode,
    values: RecordedRows,
    { from_row, task }: { readonly from_row: number; readonly task: number },
  ): Record<string, FeatureStatistics> {
    const of = (value: (row: number) => number) => ({
      ...computeStatistics([Float64Array.from({ length: rows }, (_, row) => value(row))], 1),
    });
    const numbers = this.#features.numbers.map(
      ({ key, dims }) => [key, { ...computeStatistics([values.get(key)!], dims) }] as const,
    );
    return {
      ...Object.fromEntries(numbers),
      timestamp: of((row) => row / this.#rate_hz),
      frame_index: of((row) => row),
      episode_index: of(() => index),
      index: of((row) => from_row + row),
      task_index: of(() => task),
    };
  }
}

/** Lists the edits of a camera's videos. */
function createVideoEdits(
  feature: string,
  stream: string,
  { counts: { copied, hidden_frames, encoded }, codec }: CameraVideos,
): JsonObject[] {
  const from = [stream];
  const hides = 'these episodes start between keyframes; an MP4 edit list hides the frames before the start';
  return [
    ...(copied > 0 ? [{ edit: 'copy_video', feature, from, episodes: copied }] : []),
    ...(hidden_frames > 0 ? [{ edit: 'hide_frames', feature, episodes: copied, reason: hides }] : []),
    ...[...encoded].map(([reason, episodes]) => ({
      ...{ edit: 'encode', feature, from, codec, episodes, reason },
    })),
  ];
}

function createEmptyEpisodeError({ episode }: ExportEpisode): AssayError {
  return new AssayError(
    'usage',
    `${episode.id} has no time at which all of its cameras, actions and states have data`,
    {
      advice: `exclude it with --without ${episode.id}`,
    },
  );
}
