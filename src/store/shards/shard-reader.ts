import { AssayError } from '#core';
import { borrow, giveBack, sqlPath } from './engine.ts';
import { shardFault } from './shard-fault.ts';
import { bytesOf, pieceBytes, type ShardArray, type ShardEpisode, type ShardStream } from './shard-layout.ts';

/** Seconds on the stream's clock; without bounds the whole stream. */
export interface ShardWindow {
  readonly from_s?: number;
  readonly to_s?: number;
  /** Another of the stream's clocks than the chosen one. */
  readonly clock?: number;
}

/** Rows of one stream. */
export interface ShardRows {
  readonly stream: ShardStream;
  /** Row-major, `dims` numbers a row; empty where the stream has no numbers. */
  readonly values: Float32Array | Float64Array;
  readonly dims: number;
  /** One stamp a row on the chosen clock; null without one. */
  readonly time_s: Float64Array | null;
  /** Place of the first row in the whole stream, and how many rows that has. */
  readonly first_row: number;
  readonly total_rows: number;
}

/** What the shard at `path` holds of the episode at `place`. Throws `not_found`. */
export async function readShardEpisode(path: string, place: number): Promise<ShardEpisode> {
  const found = await select(path, 'about', `place = ${Math.trunc(place)} AND about IS NOT NULL`);
  if (found.length === 0) throw new AssayError('not_found', `the shard holds no episode ${place}`, { path });
  return JSON.parse(String(found[0][0])) as ShardEpisode;
}

/**
 * Numbers of one stream: every row from the first to the last whose stamp lies in the window. Reads only the row
 * groups and pieces that hold them. Throws `not_found` for an absent episode or stream.
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

interface Place {
  readonly path: string;
  readonly place: number;
}

interface Times {
  readonly first: number;
  readonly time_s: Float64Array;
}

async function readTimes(at: Place, item: number, array: ShardArray, window: ShardWindow): Promise<Times> {
  const { from_s = Number.NEGATIVE_INFINITY, to_s = Number.POSITIVE_INFINITY } = window;
  const whole = from_s === Number.NEGATIVE_INFINITY && to_s === Number.POSITIVE_INFINITY;
  if (whole) return { first: 0, time_s: (await readRows(at, item, array, 0, array.rows)) as Float64Array };
  const condition = `place = ${at.place} AND item = ${item} AND to_s >= ${sqlNumber(from_s)} AND from_s <= ${sqlNumber(to_s)}`;
  const parts = (await select(at.path, 'part', condition)).map(([part]) => Number(part));
  if (parts.length === 0) return { first: 0, time_s: new Float64Array(0) };
  const perPiece = pieceBytes / bytesOf.float64;
  const start = Math.min(...parts) * perPiece;
  const end = Math.min(array.rows, (Math.max(...parts) + 1) * perPiece);
  const stamps = (await readRows(at, item, array, start, end - start)) as Float64Array;
  const inside = (time: number): boolean => time >= from_s && time <= to_s;
  const first = stamps.findIndex(inside);
  if (first < 0) return { first: 0, time_s: new Float64Array(0) };
  return { first: start + first, time_s: stamps.subarray(first, stamps.findLastIndex(inside) + 1) };
}

async function readRows(
  at: Place,
  item: number,
  { type, dims, rows }: ShardArray,
  first: number,
  count: number,
): Promise<Float32Array | Float64Array> {
  const wanted = Math.max(0, Math.min(count, rows - first));
  const from = first * dims * bytesOf[type];
  const bytes = new Uint8Array(wanted * dims * bytesOf[type]);
  const [low, high] = [Math.floor(from / pieceBytes), Math.floor((from + bytes.length - 1) / pieceBytes)];
  const condition = `place = ${at.place} AND item = ${item} AND part BETWEEN ${low} AND ${high}`;
  let filled = 0;
  for (const [part, blob] of bytes.length === 0 ? [] : await select(at.path, 'part, bytes', condition)) {
    const piece = blobBytes(blob);
    const offset = Number(part) * pieceBytes - from;
    const cut = piece.subarray(Math.max(0, -offset), Math.min(piece.length, bytes.length - offset));
    bytes.set(cut, Math.max(0, offset));
    filled += cut.length;
  }
  if (filled !== bytes.length) throw shardFault(new Error('pieces of an array are missing'), at.path);
  return type === 'float32' ? new Float32Array(bytes.buffer) : new Float64Array(bytes.buffer);
}

async function select(path: string, columns: string, condition: string): Promise<unknown[][]> {
  try {
    const connection = await borrow();
    try {
      const sql = `SELECT ${columns} FROM read_parquet(${sqlPath(path, 'read')}) WHERE ${condition}`;
      return (await connection.runAndReadAll(sql)).getRows();
    } finally {
      giveBack(connection);
    }
  } catch (thrown) {
    throw shardFault(thrown, path);
  }
}

function blobBytes(blob: unknown): Uint8Array {
  const bytes: unknown = blob instanceof Object ? Reflect.get(blob, 'bytes') : null;
  return bytes instanceof Uint8Array ? bytes : new Uint8Array(0);
}

/** JavaScript's infinities are names to SQL. */
function sqlNumber(value: number): string {
  return Number.isFinite(value) ? `${value}::DOUBLE` : `'${value}'::DOUBLE`;
}
