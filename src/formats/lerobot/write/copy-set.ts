import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { EditStep } from '../../shared/write/edits/export-edit.ts';
import { planRowRanges } from '../../shared/write/edits/registry.ts';
import { resampleRows } from '../../shared/write/set/grid.ts';
import type { TrainingEpisode } from '../../shared/write/training-episode.ts';
import { createColumnFooter } from './columns.ts';
import { AnnotationCopy, type CopiedAnnotations } from './copied-annotations.ts';
import { type CopiedData, copyData } from './copy-data.ts';
import { type CopyPlan, planCameras, planEpisodes } from './copy-plan.ts';
import { createCameraEncoding, declareEncoding, resolveEncoding } from './encoding.ts';
import {
  type CopySource,
  readSetInfo,
  resolveSetFeatures,
  type SetFeatures,
  type SetInfo,
} from './features.ts';
import { declareLanguage } from './language/language-features.ts';
import type {
  CameraEncoding,
  CopiedEpisode,
  DecodeVideo,
  EncodedCodec,
  LeRobotLayout,
} from './layouts/layout.ts';
import { SourceTables } from './source-tables.ts';
import { mapSplits, mergeSplits } from './splits.ts';
import { copyCameras, cutVideo, type VideoPlacements, writeEpisodes } from './write-episodes.ts';

/** Options of a copy. */
export interface CopySetOptions {
  readonly layout: LeRobotLayout;
  /** Edits to apply; see `readEdits`. */
  readonly edits: readonly EditStep[];
  /** Rate of the new set; null for the source's. */
  readonly rate_hz: number | null;
  readonly decode: DecodeVideo;
  readonly signal: AbortSignal;
  /** Progress callback; a unit of work is an episode's rows, or its frames of one camera. */
  readonly onProgress: (done: number, total: number) => void;
}

/** Memory limit of the database engine, in MB. */
const memory_mb = 256;

/** An episode of the new set that is not numbered yet. */
type EpisodePiece = Omit<CopiedEpisode, 'index' | 'from_row'>;

/**
 * Writes a LeRobot set from selected episodes of one or several sets of version 2.0, 2.1 or 3.0. Values are retained.
 * Video packets are copied without decoding, unless edits require another codec, size or rate. Statistics of numbers
 * are computed from the written rows; those of pictures are copied, or computed if they are encoded.
 */
export class LeRobotCopy {
  readonly #folder: string;
  readonly #sources: readonly CopySource[];
  readonly #options: CopySetOptions;
  readonly #annotations: AnnotationCopy;
  #pieces: EpisodePiece[] = [];
  #episodes: readonly CopiedEpisode[] = [];
  /** Number of episodes by camera whose file begins with hidden frames. */
  readonly hiddenFrames = new Map<string, number>();
  /** Codec and number of encoded episodes by camera. */
  readonly encoded = new Map<string, { readonly codec: EncodedCodec; readonly episodes: number }>();
  /** Number of rows left out by episode, because no sample is near enough before them. */
  readonly skippedRows = new Map<string, number>();

  /** Creates a copy into `folder`, which must be new or empty. */
  constructor(folder: string, sources: readonly CopySource[], options: CopySetOptions) {
    this.#folder = folder;
    this.#sources = sources;
    this.#options = options;
    this.#annotations = new AnnotationCopy(folder, sources[0], { ...options, memory_mb });
  }

  get #spill(): string {
    return join(this.#folder, '.spill');
  }

  /** True if no row of the added episodes is left after the edits; valid before `plan` and `finish`. */
  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  /** Number of rows of the new set; 0 before `plan` or `finish`. */
  get rows(): number {
    return this.#episodes.reduce((sum, { rows }) => sum + rows, 0);
  }

  /** Episodes of the new set in order, with their rows in the source; empty before `plan` or `finish`. */
  get episodes(): readonly CopiedEpisode[] {
    return this.#episodes;
  }

  /**
   * Adds the next episode of a source; edits may split it or remove it. `annotations`: its annotation results, for a
   * single source only; null for none.
   */
  async add(
    source: number,
    episode: TrainingEpisode,
    annotations: CopiedAnnotations | null = null,
  ): Promise<void> {
    const { id, source_index, data, rate_hz } = episode;
    const { names } = this.#sources[source];
    const named = episode.videos.map((video) => ({ ...video, key: names[video.key] ?? video.key }));
    for (const { first, until } of planRowRanges(this.#options.edits, episode)) {
      const isAll = until - first === episode.rows;
      const videos = isAll ? named : named.map((video) => cutVideo(video, first, until, rate_hz));
      const sourceRows = this.#selectSourceRows(episode, first, until);
      const rows = sourceRows?.length ?? until - first;
      const isWhole = isAll && sourceRows === null;
      if (rows === 0) continue;
      const piece = { id, source, source_index, data, first, until, sourceRows, isWhole, rows, videos };
      if (annotations !== null) await this.#annotations.add(this.#pieces.length, annotations, episode, piece);
      this.#pieces.push(piece);
    }
  }

  /** Returns the source row of each resampled row; null if the rate does not change. */
  #selectSourceRows(
    { id, times, rate_hz }: TrainingEpisode,
    first: number,
    until: number,
  ): Int32Array | null {
    const wanted_hz = this.#options.rate_hz;
    if (wanted_hz === null || wanted_hz === rate_hz) return null;
    const own =
      times?.subarray(first, until) ??
      Float64Array.from({ length: until - first }, (_, row) => row / rate_hz);
    const { sourceRows, left_out } = resampleRows(own, wanted_hz);
    if (left_out > 0) this.skippedRows.set(id, (this.skippedRows.get(id) ?? 0) + left_out);
    return sourceRows.map((row) => first + row);
  }

  /**
   * Writes all files of the set and closes the copy, also after an error. Throws `unreadable_input`,
   * `output_unwritable` or `cancelled`.
   */
  async finish(): Promise<void> {
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const instance = await DuckDBInstance.create(':memory:', {
      threads: '2',
      memory_limit: `${memory_mb}MB`,
      // The default would be `.tmp` in the working directory.
      temp_directory: this.#spill,
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
      await this.#annotations.close();
      await rm(this.#spill, { recursive: true, force: true });
    }
  }

  /** Closes open files; call if `finish` is not called. */
  close(): Promise<void> {
    return this.#annotations.close();
  }

  /** Returns a preview of the set without writing it; afterwards call `close`, not `finish`. */
  async plan(): Promise<CopyPlan> {
    const { features, encoding, resampled_hz, splits } = this.#prepare();
    const rate_hz = resampled_hz ?? features.rate_hz;
    const left = new Set(features.all.map(({ source }) => source));
    return {
      rate_hz,
      rows: this.rows,
      episodes: planEpisodes(this.#episodes, rate_hz),
      cameras: await planCameras(features, this.#episodes, encoding),
      renamed: features.all.flatMap(({ key, source }) => (key === source ? [] : [{ from: source, to: key }])),
      without: [...features.declared].filter((key) => !left.has(key)),
      splits,
    };
  }

  /** Numbers the episodes and resolves features, splits and encoding. */
  #prepare() {
    const sets = this.#sources.map(readSetInfo);
    const splits = this.#numberEpisodes(sets);
    const own = resolveSetFeatures(sets, this.#episodes, this.#options.edits);
    const resampled_hz = this.#resampledFrom(own.rate_hz);
    const encode = resolveEncoding(this.#options.edits, resampled_hz);
    const coded = encode === null ? own : declareEncoding(own, encode);
    const features = this.#annotations.language.isEmpty ? coded : declareLanguage(coded);
    const encoding = encode === null ? null : createCameraEncoding(encode, this.#options.decode);
    return { sets, splits, features, resampled_hz, encoding };
  }

  async #write(connection: DuckDBConnection): Promise<void> {
    const tables = this.#sources.map((source) => new SourceTables(source, connection));
    const { sets, splits, features, resampled_hz, encoding } = this.#prepare();
    const step = this.#createProgress(features);
    await mkdir(join(this.#folder, 'meta'), { recursive: true });
    const language = this.#annotations.language.isEmpty ? null : this.#annotations.language;
    await language?.createTable(connection);
    const data = await copyData(connection, {
      ...this.#options,
      folder: this.#folder,
      episodes: this.#episodes,
      texts: await Promise.all(tables.map((own) => own.tasks())),
      names: this.#sources.map(({ names }) => names),
      features: features.all,
      declared: features.declared,
      rate_hz: features.rate_hz,
      resampled_hz,
      footer: createColumnFooter(features.declaration),
      language,
      onEpisodes: step,
    });
    const videos = await copyCameras(features, this.#episodes, {
      ...{ folder: this.#folder, layout: this.#options.layout, signal: this.#options.signal },
      ...{ encoding, resampled_hz, step },
    });
    this.#recordVideos(videos, encoding);
    const metadata = await this.#options.layout.openMetadata(this.#folder, connection);
    try {
      const { signal } = this.#options;
      await writeEpisodes(connection, { tables, features, data, videos, metadata, signal });
      await metadata.finish(this.#summary(sets[0], features, { data, splits, rate_hz: resampled_hz }));
    } finally {
      await metadata.close();
      for (const own of tables) await own.close();
    }
    await this.#annotations.finish(connection);
    if (features.all.every(({ key, source }) => key === source)) await this.#copyModality();
  }

  /** Numbers the episodes and returns the splits. */
  #numberEpisodes(sets: readonly SetInfo[]): Record<string, string> {
    const own = sets.map(({ info }) => info.splits);
    const requestedSplits = this.#options.edits.find(({ splits }) => splits !== undefined)?.splits;
    const merged = mergeSplits(own, this.#pieces, requestedSplits !== undefined);
    let from_row = 0;
    this.#episodes = (sets.length > 1 ? merged.episodes : this.#pieces).map((piece, index) => {
      from_row += piece.rows;
      return { ...piece, index, from_row: from_row - piece.rows };
    });
    this.#pieces = [];
    // Episodes of different sets never belong to one recording.
    const recordings = this.#episodes.map(({ source, source_index }) => source * 2 ** 32 + source_index);
    if (requestedSplits !== undefined) return requestedSplits(recordings);
    return sets.length > 1 ? merged.splits : mapSplits(own[0], recordings);
  }

  /** Copies GR00T's meta/modality.json if all sources have the same one. */
  async #copyModality(): Promise<void> {
    const texts = this.#sources.map(({ root, names }) => {
      const path = join(root, 'meta/modality.json');
      return existsSync(path) && Object.keys(names).length === 0 ? readFileSync(path, 'utf8') : null;
    });
    const [text] = texts;
    if (text === null || texts.some((other) => other !== text)) return;
    await writeFile(join(this.#folder, 'meta/modality.json'), text);
  }

  /** Creates the progress counter. */
  #createProgress({ cameras }: SetFeatures): (by: number) => void {
    const total = this.#episodes.length * (1 + cameras.length);
    let done = 0;
    return (by) => {
      done += by;
      this.#options.onProgress(done, total);
    };
  }

  /** Returns the new rate; null if it is that of the source. */
  #resampledFrom(rate_hz: number): number | null {
    const wanted_hz = this.#options.rate_hz;
    return wanted_hz === rate_hz ? null : wanted_hz;
  }

  /** Records hidden and encoded frames of each camera. */
  #recordVideos(videos: VideoPlacements, encoding: CameraEncoding | null): void {
    for (const [key, placed] of videos) {
      const hidden = placed.filter(({ hidden_frames }) => hidden_frames > 0).length;
      if (hidden > 0) this.hiddenFrames.set(key, hidden);
      const episodes = placed.filter(({ statistics }) => statistics !== undefined).length;
      if (encoding !== null && episodes > 0) this.encoded.set(key, { codec: encoding.codec, episodes });
    }
  }

  #summary(
    { info }: SetInfo,
    { declaration, cameras }: SetFeatures,
    { data, splits, rate_hz }: SummaryParts,
  ) {
    return {
      info: { ...info, ...(rate_hz === null ? {} : { fps: rate_hz }), features: declaration },
      episodes: this.#episodes.length,
      frames: this.rows,
      cameras: cameras.length,
      tasks: data.texts,
      splits,
    };
  }
}

/** Inputs of the set summary. */
interface SummaryParts {
  readonly data: CopiedData;
  readonly splits: Record<string, string>;
  /** New rate; null for the source's. */
  readonly rate_hz: number | null;
}
