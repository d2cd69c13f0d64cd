import { existsSync } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { TrainingEpisode } from '../../training-episode.ts';
import type { FeatureStatistics } from '../aggregate-statistics.ts';
import { poolStatistics } from '../statistics.ts';
import { writeTasks } from '../tasks-table.ts';
import { type CopiedData, copyData } from './copy-data.ts';
import { copyVideos } from './copy-videos.ts';
import { countStatistics } from './count-statistics.ts';
import { episodeRow } from './episode-row.ts';
import { type SetFeatures, setFeatures } from './features.ts';
import type { KeptEpisode, PlacedVideo } from './kept-episode.ts';
import { SourceTables } from './source-tables.ts';
import { keptSplits } from './splits.ts';
import { writeEpisodeRows, writeInfo, writeSetStatistics } from './write-metadata.ts';

export interface CopySetOptions {
  readonly signal: AbortSignal;
  /** Hears how much of the work is done: an episode's numbers, and its frames of each camera. */
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Writes a LeRobot v3.0 set from the kept episodes of another, of version 2.0, 2.1 or 3.0. Rows and packets are copied:
 * columns keep their values, frames are not decoded. Statistics of numbers are computed anew, those of pictures are
 * taken over.
 */
export class LeRobotCopy {
  readonly #folder: string;
  readonly #source: string;
  readonly #options: CopySetOptions;
  readonly #kept: KeptEpisode[] = [];
  readonly #statistics: Record<string, FeatureStatistics>[] = [];
  #rows = 0;
  /** Cameras that the source declares and no kept episode has, known when it is finished. */
  absent: readonly string[] = [];

  /** `source` is the folder of the set, `folder` a new or empty one. */
  constructor(folder: string, source: string, options: CopySetOptions) {
    this.#folder = folder;
    this.#source = source;
    this.#options = options;
  }

  get rows(): number {
    return this.#rows;
  }

  /** Takes the next episode; its numbers may be written over afterwards. */
  add({ id, source_index, rows, series, videos }: TrainingEpisode): void {
    const index = this.#kept.length;
    this.#kept.push({ id, source_index, index, rows, from_row: this.#rows, videos });
    this.#statistics.push(
      Object.fromEntries(series.map(({ key, values, dims }) => [key, { ...poolStatistics([values], dims) }])),
    );
    this.#rows += rows;
  }

  /** Writes everything. Throws `unreadable_input`, `output_unwritable`, `cancelled`. */
  async finish(): Promise<void> {
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const spill = join(this.#folder, '.spill');
    const instance = await DuckDBInstance.create(':memory:', {
      threads: '2',
      memory_limit: '256MB',
      // Otherwise it is `.tmp` in the folder that the command was called from.
      temp_directory: spill,
    });
    const connection = await instance.connect();
    const stop = () => connection.interrupt();
    this.#options.signal.addEventListener('abort', stop);
    try {
      await this.#write(connection);
    } finally {
      this.#options.signal.removeEventListener('abort', stop);
      connection.closeSync();
      instance.closeSync();
      await rm(spill, { recursive: true, force: true });
    }
  }

  async #write(connection: DuckDBConnection): Promise<void> {
    const tables = new SourceTables(this.#source, connection);
    const features = setFeatures(tables.info, this.#source, this.#kept);
    const step = this.#steps(features);
    await mkdir(join(this.#folder, 'meta'), { recursive: true });
    const data = await copyData(connection, {
      folder: this.#folder,
      sources: tables.dataFiles(),
      episodes: this.#kept,
      texts: await tables.tasks(),
      signal: this.#options.signal,
    });
    step(this.#kept.length);
    const videos = await this.#copyVideos(features, step);
    const statistics = await this.#allStatistics(tables, features, data);
    await writeTasks(connection, this.#folder, data.texts);
    const rows = this.#kept.values().map((episode) => {
      const place = episode.index;
      return episodeRow(episode, {
        tasks: data.tasks[place].map(([task]) => data.texts[task]),
        data_file: data.files[place],
        videos: Object.fromEntries([...videos].map(([camera, placed]) => [camera, placed[place]])),
        statistics: statistics[place],
      });
    });
    await writeEpisodeRows(connection, this.#folder, rows);
    await writeSetStatistics(this.#folder, statistics);
    await this.#writeRest(tables, features, data);
    this.absent = features.absent;
  }

  #steps({ cameras }: SetFeatures): (by: number) => void {
    const total = this.#kept.length * (1 + cameras.length);
    let done = 0;
    return (by) => {
      done += by;
      this.#options.onProgress(done, total);
    };
  }

  async #copyVideos({ cameras, rate_hz }: SetFeatures, step: (by: number) => void) {
    const videos = new Map<string, readonly PlacedVideo[]>();
    const own = { folder: this.#folder, rate_hz, signal: this.#options.signal, onEpisode: () => step(1) };
    for (const camera of cameras) videos.set(camera, await copyVideos(camera, this.#kept, own));
    return videos;
  }

  /** Of each episode: of signals and counts as computed, of all else as the source has them. */
  async #allStatistics(tables: SourceTables, { keys, rate_hz }: SetFeatures, { tasks }: CopiedData) {
    const computed = this.#kept.map((episode, place) => ({
      ...this.#statistics[place],
      ...countStatistics(episode, tasks[place], rate_hz),
    }));
    const known = new Set(Object.keys(computed[0] ?? {}));
    const given = await tables.statistics(keys.filter((key) => !known.has(key)));
    return computed.map((own, place) => ({ ...own, ...given.get(this.#kept[place].source_index) }));
  }

  async #writeRest({ info }: SourceTables, { absent }: SetFeatures, { texts }: CopiedData): Promise<void> {
    const kept = this.#kept.map(({ source_index }) => source_index);
    await writeInfo(this.#folder, info, {
      absent,
      episodes: kept.length,
      frames: this.#rows,
      tasks: texts.length,
      splits: keptSplits(info.splits, kept),
    });
    // GR00T's names for the dimensions of the set.
    const modality = join(this.#source, 'meta/modality.json');
    if (existsSync(modality)) await copyFile(modality, join(this.#folder, 'meta/modality.json'));
  }
}
