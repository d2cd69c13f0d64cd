import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { EditStep } from '../../shared/write/edits/export-edit.ts';
import { planPieces } from '../../shared/write/edits/plan-edits.ts';
import { evenRows } from '../../shared/write/set/grid.ts';
import type { TrainingEpisode } from '../../shared/write/training-episode.ts';
import { columnFooter } from './column-footer.ts';
import { type CopiedData, copyData } from './copy-data.ts';
import { type CopyPlan, plannedCameras, plannedEpisodes } from './copy-plan.ts';
import { cameraEncoding, encodeAsked, encodedFeatures } from './encode/encoded-features.ts';
import type { EncodedCodec } from './encode/encoded-videos.ts';
import { type SetFeatures, setFeatures } from './features.ts';
import type { KeptEpisode } from './kept-episode.ts';
import { withLanguage } from './language/language-features.ts';
import type { CameraEncoding, DecodeVideo, LeRobotLayout } from './layout.ts';
import { type CopySource, readSetInfo, type SetInfo } from './set-info.ts';
import { AnnotationCopy, type CopiedAnnotations } from './sidecars/copied-annotations.ts';
import { SourceTables } from './source-tables.ts';
import { keptSplits, mergedSplits } from './splits.ts';
import { copyCameras, type PlacedVideos, part, writeEpisodes } from './write-episodes.ts';

export interface CopySetOptions {
  readonly layout: LeRobotLayout;
  /** What is changed on the way; see `readEdits`. */
  readonly edits: readonly EditStep[];
  /** Rows a second of the new set; null: the source's. */
  readonly rate_hz: number | null;
  readonly decode: DecodeVideo;
  readonly signal: AbortSignal;
  /** Hears how much of the work is done: an episode's numbers, and its frames of each camera. */
  readonly onProgress: (done: number, total: number) => void;
}

/** What tables may take. */
const memory_mb = 256;

/** An episode of the new set that has no place in it yet. */
type TakenPiece = Omit<KeptEpisode, 'index' | 'from_row'>;

/**
 * Writes a LeRobot set from the kept episodes of another, or of several, of version 2.0, 2.1 or 3.0. Columns keep their
 * values. Packets are copied and no frame is decoded, unless edits ask for another codec, size or rate. Statistics of
 * numbers are computed from the rows that were written; those of pictures are taken over, or computed where they are
 * encoded.
 */
export class LeRobotCopy {
  readonly #folder: string;
  readonly #sources: readonly CopySource[];
  readonly #options: CopySetOptions;
  readonly #annotations: AnnotationCopy;
  #taken: TakenPiece[] = [];
  #kept: readonly KeptEpisode[] = [];
  /** Cameras that the source declares and no kept episode has, known when it is finished. */
  absent: readonly string[] = [];
  /** By camera: episodes whose file begins with frames that a player leaves out. */
  readonly hidden = new Map<string, number>();
  /** By camera: episodes whose frames were encoded, and as what. */
  readonly encoded = new Map<string, { readonly codec: EncodedCodec; readonly episodes: number }>();
  /** By episode: rows that were left out since there is no sample near enough before them. */
  readonly holes = new Map<string, number>();

  /** `folder` is a new or empty one. */
  constructor(folder: string, sources: readonly CopySource[], options: CopySetOptions) {
    this.#folder = folder;
    this.#sources = sources;
    this.#options = options;
    this.#annotations = new AnnotationCopy(folder, sources[0], { ...options, memory_mb });
  }

  get #spill(): string {
    return join(this.#folder, '.spill');
  }

  /** The edits leave no row of what was added. */
  get isEmpty(): boolean {
    return this.#taken.length === 0;
  }

  get rows(): number {
    return this.#kept.reduce((sum, { rows }) => sum + rows, 0);
  }

  /** The episodes of the new set, in order, with the rows of the source that they hold; known when it is finished. */
  get kept(): readonly KeptEpisode[] {
    return this.#kept;
  }

  /**
   * Takes the next episode of a source, by its place; edits may make several of it, or none. `told`: what layers say of it,
   * of one source only; null: nothing.
   */
  async add(source: number, episode: TrainingEpisode, told: CopiedAnnotations | null = null): Promise<void> {
    const { id, source_index, data, rate_hz } = episode;
    const { names } = this.#sources[source];
    const named = episode.videos.map((video) => ({ ...video, key: names[video.key] ?? video.key }));
    for (const { first, until } of planPieces(this.#options.edits, episode)) {
      const isAll = until - first === episode.rows;
      const videos = isAll ? named : named.map((video) => part(video, first, until, rate_hz));
      const picked = this.#picked(episode, first, until);
      const rows = picked?.length ?? until - first;
      const whole = isAll && picked === null;
      if (rows === 0) continue;
      const taken = { id, source, source_index, data, first, until, picked, whole, rows, videos };
      if (told !== null) await this.#annotations.add(this.#taken.length, told, episode, taken);
      this.#taken.push(taken);
    }
  }

  /** Rows of the source for even rows of another rate. */
  #picked({ id, times, rate_hz }: TrainingEpisode, first: number, until: number): Int32Array | null {
    const wanted_hz = this.#options.rate_hz;
    if (wanted_hz === null || wanted_hz === rate_hz) return null;
    const own =
      times?.subarray(first, until) ??
      Float64Array.from({ length: until - first }, (_, row) => row / rate_hz);
    const { places, left_out } = evenRows(own, wanted_hz);
    if (left_out > 0) this.holes.set(id, (this.holes.get(id) ?? 0) + left_out);
    return places.map((place) => first + place);
  }

  /** Writes everything. Throws `unreadable_input`, `output_unwritable`, `cancelled`. */
  async finish(): Promise<void> {
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const instance = await DuckDBInstance.create(':memory:', {
      threads: '2',
      memory_limit: `${memory_mb}MB`,
      // Otherwise it is `.tmp` in the folder that the command was called from.
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

  /** Lets go of files, where it was not finished. */
  close(): Promise<void> {
    return this.#annotations.close();
  }

  /** What would be written; nothing is, and `finish` is not to be called any more. */
  async plan(): Promise<CopyPlan> {
    const { features, encoding, resampled_hz, splits } = this.#prepare();
    const rate_hz = resampled_hz ?? features.rate_hz;
    const left = new Set(features.all.map(({ source }) => source));
    return {
      rate_hz,
      rows: this.rows,
      episodes: plannedEpisodes(this.#kept, rate_hz),
      cameras: await plannedCameras(features, this.#kept, encoding),
      renamed: features.all.flatMap(({ key, source }) => (key === source ? [] : [{ from: source, to: key }])),
      without: [...features.declared].filter((key) => !left.has(key)),
      splits,
    };
  }

  /** Numbers the episodes and decides what becomes of the features. */
  #prepare() {
    const sets = this.#sources.map(readSetInfo);
    const splits = this.#number(sets);
    const own = setFeatures(sets, this.#kept, this.#options.edits);
    const resampled_hz = this.#resampledFrom(own.rate_hz);
    const encode = encodeAsked(this.#options.edits, resampled_hz);
    const coded = encode === null ? own : encodedFeatures(own, encode);
    const features = this.#annotations.said.isEmpty ? coded : withLanguage(coded);
    const encoding = encode === null ? null : cameraEncoding(encode, this.#options.decode);
    return { sets, splits, features, resampled_hz, encoding };
  }

  async #write(connection: DuckDBConnection): Promise<void> {
    const tables = this.#sources.map((source) => new SourceTables(source, connection));
    const { sets, splits, features, resampled_hz, encoding } = this.#prepare();
    const step = this.#steps(features);
    await mkdir(join(this.#folder, 'meta'), { recursive: true });
    const said = this.#annotations.said.isEmpty ? null : this.#annotations.said;
    await said?.createTable(connection);
    const data = await copyData(connection, {
      ...this.#options,
      folder: this.#folder,
      episodes: this.#kept,
      texts: await Promise.all(tables.map((own) => own.tasks())),
      names: this.#sources.map(({ names }) => names),
      features: features.all,
      declared: features.declared,
      rate_hz: features.rate_hz,
      resampled_hz,
      footer: columnFooter(features.declaration),
      said,
      onEpisodes: step,
    });
    const videos = await copyCameras(features, this.#kept, {
      ...{ folder: this.#folder, layout: this.#options.layout, signal: this.#options.signal },
      ...{ encoding, resampled_hz, step },
    });
    this.#note(videos, encoding);
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
    this.absent = features.absent;
  }

  /** Gives episodes their places; answers the splits. */
  #number(sets: readonly SetInfo[]): Record<string, string> {
    const own = sets.map(({ info }) => info.splits);
    const asked = this.#options.edits.find(({ splits }) => splits !== undefined)?.splits;
    const merged = mergedSplits(own, this.#taken, asked !== undefined);
    let from_row = 0;
    this.#kept = (sets.length > 1 ? merged.episodes : this.#taken).map((piece, index) => {
      from_row += piece.rows;
      return { ...piece, index, from_row: from_row - piece.rows };
    });
    this.#taken = [];
    // Episodes of two sets are never parts of one recording.
    const recordings = this.#kept.map(({ source, source_index }) => source * 2 ** 32 + source_index);
    if (asked !== undefined) return asked(recordings);
    return sets.length > 1 ? merged.splits : keptSplits(own[0], recordings);
  }

  /** GR00T's names for the dimensions of the set, where all sources say the same. */
  async #copyModality(): Promise<void> {
    const texts = this.#sources.map(({ root, names }) => {
      const path = join(root, 'meta/modality.json');
      return existsSync(path) && Object.keys(names).length === 0 ? readFileSync(path, 'utf8') : null;
    });
    const [text] = texts;
    if (text === null || texts.some((other) => other !== text)) return;
    await writeFile(join(this.#folder, 'meta/modality.json'), text);
  }

  #steps({ cameras }: SetFeatures): (by: number) => void {
    const total = this.#kept.length * (1 + cameras.length);
    let done = 0;
    return (by) => {
      done += by;
      this.#options.onProgress(done, total);
    };
  }

  /** Null: the rate is that of the source. */
  #resampledFrom(rate_hz: number): number | null {
    const wanted_hz = this.#options.rate_hz;
    return wanted_hz === rate_hz ? null : wanted_hz;
  }

  /** What became of each camera's files. */
  #note(videos: PlacedVideos, encoding: CameraEncoding | null): void {
    for (const [key, placed] of videos) {
      const hidden = placed.filter(({ hidden_frames }) => hidden_frames > 0).length;
      if (hidden > 0) this.hidden.set(key, hidden);
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
      episodes: this.#kept.length,
      frames: this.rows,
      cameras: cameras.length,
      tasks: data.texts,
      splits,
    };
  }
}

interface SummaryParts {
  readonly data: CopiedData;
  readonly splits: Record<string, string>;
  /** Null: the source's. */
  readonly rate_hz: number | null;
}
