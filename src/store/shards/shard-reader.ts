import type { DuckDBResult } from '@duckdb/node-api';
import { AssayError } from '#core';
import type { Calibration, Stream } from '#core/episode';
import { borrowConnection, returnConnection, shardFault, sqlPath } from './engine.ts';
import {
  bytesPerNumber,
  pieceBytes,
  type ShardArray,
  type ShardEpisode,
  type ShardStream,
} from './shard-layout.ts';

/** Time range in seconds on the clock of the stream. Default: the whole stream. */
export interface ShardWindow {
  readonly from_s?: number;
  readonly to_s?: number;
  /** Index of the clock. Default: the chosen clock of the stream. */
  readonly clock?: number;
}

/** Rows of one stream. */
export interface ShardRows {
  readonly stream: ShardStream;
  /** Row-major, `dims` numbers per row; empty if the stream has no numbers. */
  readonly values: Float32Array | Float64Array;
  readonly dims: number;
  /** One stamp per row on the chosen clock; null if it has no clock. */
  readonly time_s: Float64Array | null;
  /** Number of the first row in the whole stream, and the number of rows of the whole stream. */
  readonly first_row: number;
  readonly total_rows: number;
}

/** Returns the metadata of episode number `place` of a shard, without numbers. Throws `not_found`. */
export async function readShardEpisode(path: string, place: number): Promise<ShardEpisode> {
  const found = await selectRows(path, 'about', `place = ${Math.trunc(place)} AND about IS NOT NULL`);
  if (found.length === 0) throw new AssayError('not_found', `the shard has no episode ${place}`, { path });
  return JSON.parse(String(found[0][0])) as ShardEpisode;
}

/**
 * Returns the numbers of a stream: all rows from the first to the last whose stamp is in the window; none if no stamp is. Only
 * the row groups and pieces that contain them are read. Throws `not_found` for an absent episode or stream.
 */
export async function readShardStream(
  path: string,
  place: number,
  stream_id: string,
  window: ShardWindow = {},
): Promise<ShardRows> {
  const episode = await readShardEpisode(path, place);
  const stream = episode.streams.find(({ id }) => id === stream_id);
  if (stream === undefined)
    throw new AssayError('not_found', `the episode has no stream ${stream_id}`, { path });
  const file = { path, place };
  const which = window.clock ?? stream.clock?.index;
  const clock = which === undefined ? null : stream.clocks[which].times;
  const times = clock === null ? null : await readTimes(file, clock, episode.arrays[clock], window);
  const array = stream.values === null ? null : episode.arrays[stream.values];
  const total_rows = array?.rows ?? stream.sample_count;
  const first_row = times?.first ?? 0;
  const rows = times?.time_s.length ?? total_rows;
  const values =
    array === null || stream.values === null
      ? new Float32Array(0)
      : await readRows(file, stream.values, array, first_row, rows);
  return { stream, values, dims: array?.dims ?? 0, time_s: times?.time_s ?? null, first_row, total_rows };
}

interface EpisodePosition {
  readonly path: string;
  readonly place: number;
}

interface Times {
  readonly first: number;
  readonly time_s: Float64Array;
}

async function readTimes(
  at: EpisodePosition,
  item: number,
  array: ShardArray,
  window: ShardWindow,
): Promise<Times> {
  const { from_s = Number.NEGATIVE_INFINITY, to_s = Number.POSITIVE_INFINITY } = window;
  const whole = from_s === Number.NEGATIVE_INFINITY && to_s === Number.POSITIVE_INFINITY;
  if (whole) return { first: 0, time_s: (await readRows(at, item, array, 0, array.rows)) as Float64Array };
  const condition = `place = ${at.place} AND item = ${item} AND to_s >= ${sqlNumber(from_s)} AND from_s <= ${sqlNumber(to_s)}`;
  const parts = (await selectRows(at.path, 'part', condition)).map(([part]) => Number(part));
  if (parts.length === 0) return { first: 0, time_s: new Float64Array(0) };
  const perPiece = pieceBytes / bytesPerNumber.float64;
  const start = Math.min(...parts) * perPiece;
  const end = Math.min(array.rows, (Math.max(...parts) + 1) * perPiece);
  const stamps = (await readRows(at, item, array, start, end - start)) as Float64Array;
  const inside = (time: number): boolean => time >= from_s && time <= to_s;
  const first = stamps.findIndex(inside);
  if (first < 0) return { first: 0, time_s: new Float64Array(0) };
  return { first: start + first, time_s: stamps.subarray(first, stamps.findLastIndex(inside) + 1) };
}

async function readRows(
  at: EpisodePosition,
  item: number,
  { type, dims, rows }: ShardArray,
  first: number,
  count: number,
): Promise<Float32Array | Float64Array> {
  const rowCount = Math.max(0, Math.min(count, rows - first));
  const from = first * dims * bytesPerNumber[type];
  const bytes = new Uint8Array(rowCount * dims * bytesPerNumber[type]);
  const [low, high] = [Math.floor(from / pieceBytes), Math.floor((from + bytes.length - 1) / pieceBytes)];
  const condition = `place = ${at.place} AND item = ${item} AND part BETWEEN ${low} AND ${high}`;
  let filled = 0;
  for (const [part, blob] of bytes.length === 0 ? [] : await selectRows(at.path, 'part, bytes', condition)) {
    const piece = blobBytes(blob);
    const offset = Number(part) * pieceBytes - from;
    const cut = piece.subarray(Math.max(0, -offset), Math.min(piece.length, bytes.length - offset));
    bytes.set(cut, Math.max(0, offset));
    filled += cut.length;
  }
  if (filled !== bytes.length) throw shardFault(new Error('parts of an array are missing'), at.path);
  return type === 'float32' ? new Float32Array(bytes.buffer) : new Float64Array(bytes.buffer);
}

async function selectRows(path: string, columns: string, condition: string): Promise<unknown[][]> {
  try {
    const connection = await borrowConnection();
    try {
      const sql = `SELECT ${columns} FROM read_parquet(${sqlPath(path, 'read')}) WHERE ${condition}`;
      return (await connection.runAndReadAll(sql)).getRows();
    } finally {
      returnConnection(connection);
    }
  } catch (thrown) {
    throw shardFault(thrown, path);
  }
}

function blobBytes(blob: unknown): Uint8Array {
  const bytes: unknown = blob instanceof Object ? Reflect.get(blob, 'bytes') : null;
  return bytes instanceof Uint8Array ? bytes : new Uint8Array(0);
}

/** Formats a number for SQL, where infinities are quoted names. */
function sqlNumber(value: number): string {
  return Number.isFinite(value) ? `${value}::DOUBLE` : `'${value}'::DOUBLE`;
}

type Numbers = Float32Array | Float64Array;

/** An episode with the numbers of its streams as read, without pictures. */
export interface ShardedEpisode {
  readonly name: string;
  readonly streams: readonly Stream[];
  /** Location of the pictures in the recording, by stream id. */
  readonly frames: Readonly<Record<string, NonNullable<ShardStream['frames']>>>;
  readonly calibrations: readonly Calibration[];
}

/**
 * Yields the episodes of a shard numbered `from` to `to`, both inclusive, in order, with one of them in memory at a
 * time; numbers that the shard lacks yield nothing.
 */
export async function* readShardEpisodes(
  path: string,
  from: number,
  to: number,
): AsyncGenerator<ShardedEpisode> {
  // Rows are sorted by `place`.
  const sql = `SELECT about, item, part, bytes FROM read_parquet(${sqlPath(path, 'read')})
    WHERE place BETWEEN ${Math.trunc(from)} AND ${Math.trunc(to)}`;
  let episode: EpisodeAssembly | null = null;
  for await (const [about, item, part, bytes] of streamRows(path, sql)) {
    if (about !== null) {
      if (episode !== null) yield episode.build();
      episode = new EpisodeAssembly(JSON.parse(String(about)));
    } else episode?.addPiece(Number(item), Number(part), bytes);
  }
  if (episode !== null) yield episode.build();
}

async function* streamRows(path: string, sql: string): AsyncGenerator<unknown[]> {
  const connection = await borrowConnection();
  try {
    const result: DuckDBResult = await connection.stream(sql);
    for (;;) {
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) return;
      yield* chunk.getRows();
    }
  } catch (thrown) {
    throw shardFault(thrown, path);
  } finally {
    returnConnection(connection);
  }
}

/** Assembles an episode from its pieces. */
class EpisodeAssembly {
  readonly #episode: ShardEpisode;
  readonly #arrays: Numbers[];

  constructor(episode: ShardEpisode) {
    this.#episode = episode;
    this.#arrays = episode.arrays.map(emptyArray);
  }

  addPiece(item: number, part: number, blob: unknown): void {
    const piece: unknown = blob instanceof Object ? Reflect.get(blob, 'bytes') : null;
    const { buffer, byteOffset, byteLength } = this.#arrays[item];
    if (piece instanceof Uint8Array)
      new Uint8Array(buffer, byteOffset, byteLength).set(piece, part * pieceBytes);
  }

  build(): ShardedEpisode {
    const { name, arrays, streams, calibrations = [] } = this.#episode;
    const numbers = this.#arrays;
    return {
      name,
      calibrations,
      frames: Object.fromEntries(
        streams.flatMap(({ id, frames }) => (frames === undefined ? [] : [[id, frames] as const])),
      ),
      streams: streams.map(({ values, clocks, frames: _, ...stream }) => ({
        ...stream,
        clocks: clocks.map(({ times, ...clock }) => ({ ...clock, time_s: numbers[times] as Float64Array })),
        ...(values === null ? {} : { series: { values: numbers[values], dims: arrays[values].dims } }),
      })),
    };
  }
}

function emptyArray({ type, dims, rows }: ShardArray): Numbers {
  const buffer = new ArrayBuffer(dims * rows * bytesPerNumber[type]);
  return type === 'float32' ? new Float32Array(buffer) : new Float64Array(buffer);
}
