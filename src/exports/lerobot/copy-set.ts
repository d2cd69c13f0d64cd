import { existsSync } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { AssayError } from '#kernel';
import type { EditStep } from '../edits/export-edit.ts';
import { planPieces } from '../edits/plan-edits.ts';
import type { TrainingEpisode, TrainingVideo } from '../training-episode.ts';
import { columnFooter } from './column-footer.ts';
import { type CopiedData, copyData, type DataFile } from './copy-data.ts';
import { type SetFeatures, setFeatures } from './features.ts';
import type { KeptEpisode, PlacedVideo } from './kept-episode.ts';
import type { LeRobotLayout, MetadataWriter } from './layout.ts';
import { SourceTables } from './source-tables.ts';
import { keptSplits } from './splits.ts';
import type { StatisticsByFeature } from './statistics-lines.ts';
import { numericColumns, writtenEpisodes } from './written-episodes.ts';

export interface CopySetOptions {
  readonly layout: LeRobotLayout;
  /** What is changed on the way; see `readEdits`. */
  readonly edits: readonly EditStep[];
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

  /** The episodes of the new set, in order, with the rows of the source that they hold. */
  get kept(): readonly KeptEpisode[] {
    return this.#kept;
  }

  /** Takes the next episode of the source; edits may make several of it, or none. */
  add(episode: TrainingEpisode): void {
    const { id, source_index, data, rate_hz } = episode;
    for (const { first, until } of planPieces(this.#options.edits, episode)) {
      const rows = until - first;
      const whole = rows === episode.rows;
      const videos = whole
        ? episode.videos
        : episode.videos.map((video) => part(video, first, until, rate_hz));
      const index = this.#kept.length;
      this.#kept.push({ id, source_index, data, first, whole, index, rows, from_row: this.#rows, videos });
      this.#rows += rows;
    }
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
    if (this.#kept.length === 0)
      throw new AssayError('usage', 'the edits leave no row of any episode', {
        advice: 'trim or shift by less; assay assess says how long the episodes are',
      });
    const features = setFeatures(tables.info, this.#source, this.#kept, this.#options.edits);
    const step = this.#steps(features);
    await mkdir(join(this.#folder, 'meta'), { recursive: true });
    const data = await copyData(connection, {
      ...this.#options,
      folder: this.#folder,
      episodes: this.#kept,
      texts: await tables.tasks(),
      features: features.all,
      declared: features.declared,
      rate_hz: features.rate_hz,
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
    // GR00T's names for the dimensions of the set, by the names of the source's features.
    const modality = join(this.#source, 'meta/modality.json');
    const named = features.all.every(({ key, source }) => key === source);
    if (named && existsSync(modality)) await copyFile(modality, join(this.#folder, 'meta/modality.json'));
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
    for (const { key, source, shift } of cameras) {
      const episodes = this.#kept.map((episode) => ({
        ...episode,
        videos: episode.videos
          .filter((video) => video.key === source)
          .map((video) => moved(video, key, -shift / rate_hz)),
      }));
      const placed = await layout.copyVideos(key, episodes, own);
      const hidden = placed.filter(({ hidden_frames }) => hidden_frames > 0).length;
      if (hidden > 0) this.hidden.set(key, hidden);
      videos.set(key, placed);
    }
    return videos;
  }

  async #writeEpisodes(connection: DuckDBConnection, parts: WritingParts): Promise<void> {
    const { features, data, videos, metadata } = parts;
    const columns = numericColumns(features.declaration);
    for (const file of data.files) {
      let given = new Map<number, StatisticsByFeature>();
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
    const asked = this.#options.edits.find(({ splits }) => splits !== undefined);
    return {
      info: { ...info, features: declaration },
      episodes: kept.length,
      frames: this.#rows,
      cameras: cameras.length,
      tasks: texts,
      splits: asked?.splits?.(kept) ?? keptSplits(info.splits, kept),
    };
  }
}

/** Frames of some rows only. */
function part(video: TrainingVideo, first: number, until: number, rate_hz: number): TrainingVideo {
  const from_s = video.from_s + first / rate_hz;
  return { ...video, from_s, until_s: from_s + (until - first - 0.5) / rate_hz };
}

function moved(video: TrainingVideo, key: string, by_s: number): TrainingVideo {
  return { ...video, key, from_s: video.from_s + by_s, until_s: video.until_s + by_s };
}

interface WritingParts {
  readonly tables: SourceTables;
  readonly features: SetFeatures;
  readonly data: CopiedData;
  readonly videos: Videos;
  readonly metadata: MetadataWriter;
}

/** Of what is not in the rows: pictures. */
async function givenStatistics({ tables, features }: WritingParts, { episodes }: DataFile, from: number) {
  const own = new Set(numericColumns(features.declaration).map(({ key }) => key));
  const rest = features.all.filter(({ key }) => !own.has(key));
  const given = await tables.statistics(
    rest.map(({ source }) => source),
    [...new Set(episodes.slice(from, from + batch).map(({ source_index }) => source_index))],
  );
  const renamed = (statistics: StatisticsByFeature) =>
    Object.fromEntries(
      rest.flatMap(({ key, source }) => (source in statistics ? [[key, statistics[source]]] : [])),
    );
  return new Map([...given].map(([episode, statistics]) => [episode, renamed(statistics)]));
}
