import { rename, rm } from 'node:fs/promises';
import type { DuckDBAppender, DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import type { Calibration, Frames, Stream } from '#core/episode';
import { borrow, giveBack, sqlPath } from './engine.ts';
import { shardFault } from './shard-fault.ts';
import { pieceBytes, type ShardArray, type ShardEpisode, type ShardStream } from './shard-layout.ts';

export interface ShardFacts {
  readonly path: string;
  readonly episodes: number;
}

/** Writes the numbers of many episodes to one Parquet file, which is there under its name only when whole. */
export interface ShardWriter {
  /** Takes an episode's numbers, which must not change any more; answers its place in the file. */
  add(
    episode_name: string,
    streams: readonly Stream[],
    calibrations?: readonly Calibration[],
  ): Promise<number>;
  /** Enough for one file: close it and open another. More may still be added, at twice the cost. */
  readonly full: boolean;
  close(): Promise<ShardFacts>;
  /** Removes what was written. */
  abandon(): Promise<void>;
}

/** Numbers held in memory before they are written out. */
const heldBytes = 32 * 1024 * 1024;
/** Rows handed to the engine at once. */
const batchRows = 512;
const columns =
  'place INTEGER, about VARCHAR, item INTEGER, part INTEGER, from_s DOUBLE, to_s DOUBLE, bytes BLOB';
const options = '(FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, ROW_GROUP_SIZE 2048)';
let tables = 0;

/** Opens a shard to be written at `path`, a scratch place on this machine; `Blobs.putFile` stores it afterwards. */
export async function openShardWriter(path: string): Promise<ShardWriter> {
  return new DuckShardWriter(path, await borrow(), await import('@duckdb/node-api'));
}

type Duck = typeof import('@duckdb/node-api');

class DuckShardWriter implements ShardWriter {
  readonly #path: string;
  readonly #connection: DuckDBConnection;
  readonly #duck: Duck;
  readonly #table = `shard_${tables++}`;
  readonly #pieces: string[] = [];
  #appender: DuckDBAppender | null = null;
  #rows: DuckDBValue[][] = emptyColumns();
  #held = 0;
  #episodes = 0;
  #ended = false;

  constructor(path: string, connection: DuckDBConnection, duck: Duck) {
    this.#path = path;
    this.#connection = connection;
    this.#duck = duck;
  }

  get full(): boolean {
    return this.#held >= heldBytes / 2 || this.#pieces.length > 0;
  }

  async add(
    episode_name: string,
    streams: readonly Stream[],
    calibrations: readonly Calibration[] = [],
  ): Promise<number> {
    const place = this.#episodes++;
    const { about, arrays } = describeEpisode(episode_name, streams, calibrations);
    const text = JSON.stringify(about);
    this.#put([place, text, -1, 0, null, null, null], text.length);
    for (const [item, array] of arrays.entries()) {
      const bytes = new Uint8Array(array.values.buffer, array.values.byteOffset, array.values.byteLength);
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        const piece = bytes.subarray(at, at + pieceBytes);
        const [from, to] = array.is_clock ? range(array, at / 8, piece.length / 8) : [null, null];
        const part = at / pieceBytes;
        this.#put([place, null, item, part, from, to, new this.#duck.DuckDBBlobValue(piece)], piece.length);
        if (this.#rows[0].length >= batchRows) await this.#append();
        if (this.#held >= heldBytes) await this.#writeOut(this.#nextPiece());
      }
    }
    return place;
  }

  async close(): Promise<ShardFacts> {
    const whole = `${this.#path}.whole`;
    try {
      if (this.#pieces.length === 0) {
        await this.#writeOut(whole);
      } else {
        await this.#writeOut(this.#nextPiece());
        const list = this.#pieces.map((piece) => sqlPath(piece, 'read')).join(', ');
        await this.#run(
          `COPY (SELECT * FROM read_parquet([${list}])) TO ${sqlPath(whole, 'write')} ${options}`,
        );
      }
      await rename(whole, this.#path);
      return { path: this.#path, episodes: this.#episodes };
    } catch (thrown) {
      throw shardFault(thrown, this.#path);
    } finally {
      await this.abandon();
    }
  }

  async abandon(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    this.#appender?.closeSync();
    this.#appender = null;
    await this.#connection.run(`DROP TABLE IF EXISTS ${this.#table}`);
    giveBack(this.#connection);
    for (const left of [...this.#pieces.splice(0), `${this.#path}.whole`]) await rm(left, { force: true });
  }

  #put(row: readonly DuckDBValue[], bytes: number): void {
    for (let column = 0; column < row.length; column++) this.#rows[column].push(row[column]);
    this.#held += bytes;
  }

  #nextPiece(): string {
    this.#pieces.push(`${this.#path}.piece-${this.#pieces.length}`);
    return this.#pieces[this.#pieces.length - 1];
  }

  async #append(): Promise<void> {
    const rows = this.#rows;
    if (rows[0].length === 0) return;
    this.#rows = emptyColumns();
    if (this.#appender === null) {
      await this.#run(`CREATE OR REPLACE TEMP TABLE ${this.#table} (${columns})`);
      this.#appender = await this.#connection.createAppender(this.#table);
    }
    const { BLOB, DOUBLE, DuckDBDataChunk, INTEGER, VARCHAR } = this.#duck;
    const types = [INTEGER, VARCHAR, INTEGER, INTEGER, DOUBLE, DOUBLE, BLOB];
    const chunk = DuckDBDataChunk.create(types, rows[0].length);
    chunk.setColumns(rows);
    this.#appender.appendDataChunk(chunk);
  }

  async #writeOut(path: string): Promise<void> {
    await this.#append();
    this.#appender?.closeSync();
    if (this.#appender === null) await this.#run(`CREATE TEMP TABLE ${this.#table} (${columns})`);
    this.#appender = null;
    await this.#run(`COPY ${this.#table} TO ${sqlPath(path, 'write')} ${options}`);
    this.#held = 0;
  }

  async #run(sql: string): Promise<void> {
    await this.#connection.run(sql).catch((thrown) => {
      throw shardFault(thrown, this.#path);
    });
  }
}

const emptyColumns = (): DuckDBValue[][] => [[], [], [], [], [], [], []];

/** Least and greatest stamp of a piece of a clock; null where it has none. */
function range(
  { values }: StoredArray,
  first: number,
  count: number,
): readonly [number | null, number | null] {
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (let at = first; at < first + count; at++) {
    const time = values[at];
    if (time < least) least = time;
    if (time > greatest) greatest = time;
  }
  return least <= greatest ? [least, greatest] : [null, null];
}

type Numbers = Float32Array | Float64Array;

/** An array to be stored; `clock` has its pieces stamped. */
interface StoredArray extends ShardArray {
  readonly values: Numbers;
  readonly is_clock: boolean;
}

interface DescribedEpisode {
  readonly about: ShardEpisode;
  readonly arrays: readonly StoredArray[];
}

/** Lists an episode's arrays, one that streams share once, and says which stream has which. */
function describeEpisode(
  name: string,
  streams: readonly Stream[],
  calibrations: readonly Calibration[],
): DescribedEpisode {
  const arrays: StoredArray[] = [];
  const known = new Map<Numbers, number>();
  const placeOf = (values: Numbers, dims: number, is_clock: boolean): number => {
    let place = known.get(values);
    if (place === undefined) {
      place = arrays.length;
      const type = values instanceof Float32Array ? 'float32' : 'float64';
      arrays.push({ type, dims, rows: dims === 0 ? 0 : values.length / dims, values, is_clock });
      known.set(values, place);
    }
    return place;
  };
  const about = streams.map((stream): ShardStream => {
    const { id, role, modality, shape, names, unit, declared_rate_hz, sample_count, clock, series } = stream;
    return {
      ...{ id, role, modality, shape, names, unit, declared_rate_hz, sample_count, clock },
      ...(stream.frames === undefined ? {} : { frames: located(stream.frames) }),
      values: series === undefined ? null : placeOf(series.values, series.dims, false),
      clocks: stream.clocks.map(({ name, provenance, time_s }) => ({
        ...{ name, provenance },
        times: placeOf(time_s, 1, true),
      })),
    };
  });
  const plain = arrays.map(({ type, dims, rows }) => ({ type, dims, rows }));
  const said = calibrations.length === 0 ? {} : { calibrations };
  return { about: { name, arrays: plain, streams: about, ...said }, arrays };
}

/** Pictures stay where they are: what a reader kept of them for measuring is left out. */
const located = ({
  locator,
  declared_size_px,
  declared_codec,
}: Frames): NonNullable<ShardStream['frames']> => ({
  locator,
  declared_size_px,
  declared_codec,
});
