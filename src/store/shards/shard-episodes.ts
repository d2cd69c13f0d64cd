import type { DuckDBResult } from '@duckdb/node-api';
import type { Calibration, Stream } from '#core/episode';
import { borrow, giveBack, sqlPath } from './engine.ts';
import { shardFault } from './shard-fault.ts';
import { bytesOf, pieceBytes, type ShardArray, type ShardEpisode, type ShardStream } from './shard-layout.ts';

type Numbers = Float32Array | Float64Array;

/** An episode's numbers as its reader gave them: everything of its streams but their pictures. */
export interface ShardedEpisode {
  readonly name: string;
  readonly streams: readonly Stream[];
  /** By stream: where its pictures lie in the recording. */
  readonly frames: Readonly<Record<string, NonNullable<ShardStream['frames']>>>;
  readonly calibrations: readonly Calibration[];
}

/** The episodes of the shard at `path` from one place to another, both included, one at a time in memory. */
export async function* readShardEpisodes(
  path: string,
  from: number,
  to: number,
): AsyncGenerator<ShardedEpisode> {
  // The file is in the order of places, and so are its rows.
  const sql = `SELECT about, item, part, bytes FROM read_parquet(${sqlPath(path, 'read')})
    WHERE place BETWEEN ${Math.trunc(from)} AND ${Math.trunc(to)}`;
  let episode: Assembly | null = null;
  for await (const [about, item, part, bytes] of rowsOf(path, sql)) {
    if (about !== null) {
      if (episode !== null) yield episode.whole();
      episode = new Assembly(JSON.parse(String(about)));
    } else episode?.put(Number(item), Number(part), bytes);
  }
  if (episode !== null) yield episode.whole();
}

async function* rowsOf(path: string, sql: string): AsyncGenerator<unknown[]> {
  const connection = await borrow();
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
    giveBack(connection);
  }
}

/** Puts an episode's pieces together. */
class Assembly {
  readonly #episode: ShardEpisode;
  readonly #arrays: Numbers[];

  constructor(episode: ShardEpisode) {
    this.#episode = episode;
    this.#arrays = episode.arrays.map(emptyArray);
  }

  put(item: number, part: number, blob: unknown): void {
    const piece: unknown = blob instanceof Object ? Reflect.get(blob, 'bytes') : null;
    const { buffer, byteOffset, byteLength } = this.#arrays[item];
    if (piece instanceof Uint8Array)
      new Uint8Array(buffer, byteOffset, byteLength).set(piece, part * pieceBytes);
  }

  whole(): ShardedEpisode {
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
  const buffer = new ArrayBuffer(dims * rows * bytesOf[type]);
  return type === 'float32' ? new Float32Array(buffer) : new Float64Array(buffer);
}
