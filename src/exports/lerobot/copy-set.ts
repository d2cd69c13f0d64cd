import { existsSync } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { TrainingEpisode } from '../training-episode.ts';
import { columnFooter } from './column-footer.ts';
import { type CopiedData, copyData, type DataFile } from './copy-data.ts';
import { type SetFeatures, setFeatures } from './features.ts';
import type { KeptEpisode, PlacedVideo } from './kept-episode.ts';
import type { LeRobotLayout, MetadataWriter } from './layout.ts';
import { SourceTables } from './source-tables.ts';
import { keptSplits } from './splits.ts';
import { numericColumns, writtenEpisodes } from './written-episodes.ts';

export interface CopySetOptions {
  readonly layout: LeRobotLayout;
  readonly signal: AbortSignal;
  /** Hears how much of the work is done: an episode's numbers, and its frames of each camera. */
  readonly onProgress: (done: number, total: number) => void;
}

type Videos = ReadonlyMap<string, readonly PlacedVideo[]>;

/** Episodes whose statistics are looked up in the source together. */
const batch = 128;

/**
 * Writes a LeRobot set from the kept episodes of another, of version 2.0, 2.1 or 3.0. Rows and packets are copied:
 * columns keep their values, frames are not decoded. Statistics of numbers are computed from the rows that were written,
 * those of pictures are taken over.
 */
export class LeRobotCopy {
  readonly #folder: string;
  readonly #source: string;
  readonly #options: CopySetOptions;
  readonly #kept: KeptEpisode[] = [];
  #rows = 0;
  /** Cameras that the source declares and no kept episode has, known when it is finished. */
  absent: readonly string[] = [];
  /** By camera: episodes whose file begins with frames that a player leaves out. */
  readonly hidden = new Map<string, number>();

  /** `source` is the folder of the set, `folder` a new or empty one. */
  constructor(folder: string, source: string, options: CopySetOptions) {
    this.#folder = folder;
    this.#source = source;
    this.#options = options;
  }

  get rows(): number {
    return this.#rows;
  }

  /** Takes the next episode. */
  add({ id, source_index, rows, videos, data }: TrainingEpisode): void {
    const index = this.#kept.length;
    this.#kept.push({ id, source_index, data, index, rows, from_row: this.#rows, videos });
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
      ...this.#options,
      folder: this.#folder,
      episodes: this.#kept,
      texts: await tables.tasks(),
      footer: columnFooter(features.declaration),
      onEpisodes: step,
    });
    const videos = await this.#copyVideos(features, step);
    const metadata = await this.#options.layout.openMetadata(this.#folder, connection);
    try {
      await this.#writeEpisodes(connection, { tables, features, data, videos, metadata });
      await metadata.finish(this.#summary(tables, features, data));
    } finally {
      await metadata.close();
      await tables.close();
    }
    // GR00T's names for the dimensions of the set.
    const modality = join(this.#source, 'meta/modality.json');
    if (existsSync(modality)) await copyFile(modality, join(this.#folder, 'meta/modality.json'));
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

  async #copyVideos({ cameras, rate_hz }: SetFeatures, step: (by: number) => void): Promise<Videos> {
    const videos = new Map<string, readonly PlacedVideo[]>();
    const { layout, signal } = this.#options;
    const own = { folder: this.#folder, rate_hz, signal, onEpisode: () => step(1) };
    for (const camera of cameras) {
      const placed = await layout.copyVideos(camera, this.#kept, own);
      const hidden = placed.filter(({ hidden_frames }) => hidden_frames > 0).length;
      if (hidden > 0) this.hidden.set(camera, hidden);
      videos.set(camera, placed);
    }
    return videos;
  }

  async #writeEpisodes(connection: DuckDBConnection, parts: WritingParts): Promise<void> {
    const { features, data, videos, metadata } = parts;
    const columns = numericColumns(features.declaration);
    for (const file of data.files) {
      let given = new Map();
      for await (const [episode, { tasks, statistics }] of writtenEpisodes(connection, file, columns)) {
        this.#options.signal.throwIfAborted();
        const place = episode.index - file.episodes[0].index;
        if (place % batch === 0) given = await givenStatistics(parts, file, place);
        await metadata.add({
          ...episode,
          tasks: tasks.map((task) => data.texts[task]),
          data_file: file.file,
          placed: Object.fromEntries([...videos].map(([camera, all]) => [camera, all[episode.index]])),
          statistics: { ...statistics, ...given.get(episode.source_index) },
        });
      }
    }
  }

  #summary({ info }: SourceTables, { declaration, cameras }: SetFeatures, { texts }: CopiedData) {
    const kept = this.#kept.map(({ source_index }) => source_index);
    return {
      info: { ...info, features: declaration },
      episodes: kept.length,
      frames: this.#rows,
      cameras: cameras.length,
      tasks: texts,
      splits: keptSplits(info.splits, kept),
    };
  }
}

interface WritingParts {
  readonly tables: SourceTables;
  readonly features: SetFeatures;
  readonly data: CopiedData;
  readonly videos: Videos;
  readonly metadata: MetadataWriter;
}

/** Of what is not in the rows: pictures. */
function givenStatistics({ tables, features }: WritingParts, { episodes }: DataFile, from: number) {
  const own = new Set(numericColumns(features.declaration).map(({ key }) => key));
  const rest = Object.keys(features.declaration).filter((key) => !own.has(key));
  return tables.statistics(
    rest,
    episodes.slice(from, from + batch).map(({ source_index }) => source_index),
  );
}
