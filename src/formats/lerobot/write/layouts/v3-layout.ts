import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { type CodedVideo, openCodedVideo, PacketCopier, type VideoSpan } from '#io/video';
import { sqlText } from '../../../shared/parquet/duck.ts';
import { groupSpansByFile } from '../../../shared/write/training-episode.ts';
import { EncodedVideos } from '../encoded-videos.ts';
import { encodeEpisode, mustEncode } from '../encoding.ts';
import { LineSpool } from '../line-spool.ts';
import { StatisticsPool } from '../statistics.ts';
import type {
  CameraEncoding,
  CopiedEpisode,
  CopyVideosOptions,
  LeRobotLayout,
  MetadataWriter,
  PlacedEpisode,
  SetSummary,
  VideoPlacement,
} from './layout.ts';
import { writeTasks } from './v3-tasks-table.ts';

/** Copies or encodes the frames of one camera and returns their locations in the order of `episodes`. */
async function copyVideos(
  camera: string,
  episodes: readonly CopiedEpisode[],
  options: CopyVideosOptions,
): Promise<VideoPlacement[]> {
  const writer = new CameraWriter(camera, options);
  const placed: VideoPlacement[] = [];
  try {
    for (const group of groupSpansByFile(camera, episodes)) {
      options.signal.throwIfAborted();
      const video = await openCodedVideo(group.path);
      try {
        if (mustEncode(video, options.encoding)) {
          for (const episode of group.episodes) {
            placed.push(await writer.encode(episode, options.encoding));
            options.onEpisode();
          }
          continue;
        }
        const { file, from_s } = await writer.append(video, group.spans);
        for (const [place, { rows }] of group.episodes.entries()) {
          const to_s = from_s[place] + rows / options.rate_hz;
          placed.push({ file, from_s: from_s[place], to_s, hidden_frames: 0 });
          options.onEpisode();
        }
      } finally {
        await video.close();
      }
    }
  } finally {
    await writer.close();
  }
  return placed;
}

const videoPath = (camera: string, file: number) => `videos/${camera}/${formatChunkAndFile(file)}.mp4`;

/** Writes the video files of a camera; begins a new one if the coding changes or the last is full. */
class CameraWriter {
  readonly #camera: string;
  readonly #options: CopyVideosOptions;
  #file = -1;
  #copier: PacketCopier | null = null;
  #encoded: EncodedVideos | null = null;

  constructor(camera: string, options: CopyVideosOptions) {
    this.#camera = camera;
    this.#options = options;
  }

  async encode(episode: CopiedEpisode, encoding: CameraEncoding): Promise<VideoPlacement> {
    await this.#endCopy();
    const { decode: _decode, resampled: _resampled, ...settings } = encoding;
    this.#encoded ??= new EncodedVideos(this.#camera, {
      ...this.#options,
      ...settings,
      file_bytes: videoFile_bytes,
      nextFile: () => ++this.#file,
      pathOf: (file) => videoPath(this.#camera, file),
    });
    return encodeEpisode(this.#camera, episode, { videos: this.#encoded, encoding });
  }

  async append(video: CodedVideo, spans: readonly VideoSpan[]) {
    await this.#encoded?.close();
    this.#encoded = null;
    const full = (this.#copier?.bytes ?? 0) >= videoFile_bytes;
    if (this.#copier === null || full || this.#copier.coding !== video.coding) await this.#next(video);
    const { from_s } = await this.#copier!.append(video, spans);
    return { file: this.#file, from_s };
  }

  async close(): Promise<void> {
    await this.#endCopy();
    await this.#encoded?.close();
  }

  async #endCopy(): Promise<void> {
    const copier = this.#copier;
    this.#copier = null;
    await copier?.close();
  }

  async #next(video: CodedVideo): Promise<void> {
    await this.#endCopy();
    this.#file += 1;
    const path = join(this.#options.folder, videoPath(this.#camera, this.#file));
    await mkdir(dirname(path), { recursive: true });
    this.#copier = await PacketCopier.open(path, video);
  }
}

/** Layout of LeRobot v3.0: files with many episodes, located by meta/episodes. */
export const layoutV3: LeRobotLayout = {
  assignFiles: fillFiles,
  dataPath: (file) => `data/${formatChunkAndFile(file)}.parquet`,
  copyVideos,
  openMetadata: (folder, connection) => MetadataV3.open(folder, connection),
};

/** Assigns episodes to files up to the size limit; each source begins a new file. */
function fillFiles(episodes: readonly CopiedEpisode[], row_bytes: number): number[] {
  let file = 0;
  let held = 0;
  return episodes.map(({ rows, source }, place) => {
    const own = rows * row_bytes;
    const isOther = place > 0 && episodes[place - 1].source !== source;
    if (isOther || (held > 0 && held + own > dataFile_bytes)) {
      file += 1;
      held = 0;
    }
    held += own;
    return file;
  });
}

/** Writes meta/episodes, meta/tasks.parquet, meta/stats.json and meta/info.json. */
class MetadataV3 implements MetadataWriter {
  readonly #folder: string;
  readonly #connection: DuckDBConnection;
  readonly #rows: LineSpool;
  readonly #pool = new StatisticsPool();
  readonly #columns = new Map<string, string>();

  private constructor(folder: string, connection: DuckDBConnection, rows: LineSpool) {
    this.#folder = folder;
    this.#connection = connection;
    this.#rows = rows;
  }

  static async open(folder: string, connection: DuckDBConnection): Promise<MetadataV3> {
    const rows = await LineSpool.open(join(folder, 'meta/episodes/chunk-000/rows.jsonl.partial'));
    return new MetadataV3(folder, connection, rows);
  }

  async add(episode: PlacedEpisode): Promise<void> {
    const row = episodeRow(episode);
    for (const [name, value] of Object.entries(row))
      if (!this.#columns.has(name)) this.#columns.set(name, columnType(name, value));
    this.#pool.add(episode.statistics);
    await this.#rows.add(row);
  }

  async finish(summary: SetSummary): Promise<void> {
    await this.#rows.flush();
    await this.#writeEpisodes();
    await writeTasks(this.#connection, this.#folder, summary.tasks);
    const statistics = `${JSON.stringify(this.#pool.result(), null, 4)}\n`;
    await writeFile(join(this.#folder, 'meta/stats.json'), statistics);
    await writeFile(
      join(this.#folder, 'meta/info.json'),
      `${JSON.stringify(createInfo(summary), null, 4)}\n`,
    );
  }

  close(): Promise<void> {
    return this.#rows.close();
  }

  /** Writes the episodes table as one file in row groups, so that readers need not load it whole. */
  async #writeEpisodes(): Promise<void> {
    const { path, longest } = this.#rows;
    const types = [...this.#columns].map(([name, type]) => `${sqlText(name)}: '${type}'`);
    await this.#connection.run(
      `COPY (SELECT * FROM read_json(${sqlText(path)}, format = 'newline_delimited', columns = {${types.join(', ')}},
       maximum_object_size = ${Math.max(1 << 18, longest * 4)}))
       TO ${sqlText(join(this.#folder, 'meta/episodes/chunk-000/file-000.parquet'))} (FORMAT parquet, COMPRESSION snappy,
       ROW_GROUP_SIZE ${rowGroup_rows})`,
    );
    await rm(path);
  }
}

/** Rows per row group; a row has hundreds of list columns. */
const rowGroup_rows = 2048;

/** Returns the SQL type of a column from its first value. */
function columnType(name: string, value: unknown): string {
  if (name === 'tasks') return 'VARCHAR[]';
  if (name.endsWith('/count')) return 'BIGINT[]';
  let depth = 0;
  for (let inner = value; Array.isArray(inner); inner = inner[0]) depth += 1;
  if (depth > 0) return `DOUBLE${'[]'.repeat(depth)}`;
  return name.endsWith('_timestamp') ? 'DOUBLE' : 'BIGINT';
}

/** Creates info.json from the source's with the new values. */
function createInfo({ info: source, episodes, frames, cameras, tasks, splits }: SetSummary) {
  const { total_chunks: _chunks, total_videos: _videos, ...info } = source;
  return {
    ...info,
    codebase_version: 'v3.0',
    total_episodes: episodes,
    total_frames: frames,
    total_tasks: tasks.length,
    chunks_size: filesPerChunk,
    data_files_size_in_mb: info.data_files_size_in_mb ?? 100,
    video_files_size_in_mb: info.video_files_size_in_mb ?? 200,
    splits,
    data_path: 'data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet',
    video_path: cameras > 0 ? 'videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4' : null,
  };
}

/** A row of meta/episodes as JSON, with statistics as `stats/<feature>/<name>`. */
type EpisodeRow = Readonly<Record<string, unknown>>;

/** Creates the row of an episode, with columns in LeRobot's order. */
function episodeRow({ index, rows, from_row, ...episode }: PlacedEpisode): EpisodeRow {
  const data = locateFile(episode.data_file);
  const row: Record<string, unknown> = {
    episode_index: index,
    tasks: episode.tasks,
    length: rows,
    'data/chunk_index': data.chunk_index,
    'data/file_index': data.file_index,
    dataset_from_index: from_row,
    dataset_to_index: from_row + rows,
  };
  for (const [camera, { file, from_s, to_s }] of Object.entries(episode.placements)) {
    const { chunk_index, file_index } = locateFile(file);
    row[`videos/${camera}/chunk_index`] = chunk_index;
    row[`videos/${camera}/file_index`] = file_index;
    row[`videos/${camera}/from_timestamp`] = from_s;
    row[`videos/${camera}/to_timestamp`] = to_s;
  }
  for (const [feature, statistics] of Object.entries(episode.statistics))
    for (const [name, value] of Object.entries(statistics)) row[`stats/${feature}/${name}`] = value;
  row['meta/episodes/chunk_index'] = 0;
  row['meta/episodes/file_index'] = 0;
  return row;
}

/** Files per chunk folder. */
const filesPerChunk = 1000;
/** Size limit of a data file, in bytes. */
export const dataFile_bytes = 100e6;
/** Size limit of a video file, in bytes. */
export const videoFile_bytes = 200e6;

/** Chunk and file index; LeRobot numbers files within chunks. */
interface FileLocation {
  readonly chunk_index: number;
  readonly file_index: number;
}

function locateFile(file: number): FileLocation {
  return { chunk_index: Math.floor(file / filesPerChunk), file_index: file % filesPerChunk };
}

/** Formats the location of a file by its number in the set, 1000 files per chunk: `chunk-000/file-012`. */
export function formatChunkAndFile(file: number): string {
  const { chunk_index, file_index } = locateFile(file);
  return `chunk-${padNumber(chunk_index)}/file-${padNumber(file_index)}`;
}

function padNumber(number: number): string {
  return String(number).padStart(3, '0');
}
