import { rename, rm } from 'node:fs/promises';
import type { DuckDBAppender, DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import type { Calibration, Frames, Stream } from '#core/episode';
import { borrowConnection, returnConnection, shardFault, sqlPath } from './engine.ts';
import { pieceBytes, type ShardArray, type ShardEpisode, type ShardStream } from './shard-layout.ts';

/** A finished shard. */
export interface ShardFacts {
  readonly path: string;
  readonly episodes: number;
}

/** Writes the numbers of many episodes to one Parquet file, which appears under its name only when complete. */
export interface ShardWriter {
  /** Adds an episode, whose arrays must not change afterwards. Returns its number in the file. */
  add(
    episode_name: string,
    streams: readonly Stream[],
    calibrations?: readonly Calibration[],
  ): Promise<number>;
  /** True if the file is large enough and another should be opened. More can still be added, at twice the cost. */
  readonly full: boolean;
  close(): Promise<ShardFacts>;
  /** Deletes everything written. */
  abandon(): Promise<void>;
}

/** Bytes buffered in memory before they are written to disk. */
const maxBufferedBytes = 32 * 1024 * 1024;
/** Rows passed to the engine at a time. */
const batchRows = 512;
const columns =
  'place INTEGER, about VARCHAR, item INTEGER, part INTEGER, from_s DOUBLE, to_s DOUBLE, bytes BLOB';
const options = '(FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, ROW_GROUP_SIZE 2048)';
let tables = 0;

/** Returns a writer of a shard at `path`, a temporary local path; `Blobs.putFile` stores it afterwards. */
export async function openShardWriter(path: string): Promise<ShardWriter> {
  return new DuckShardWriter(path, await borrowConnection(), await import('@duckdb/node-api'));
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
  #bufferedBytes = 0;
  #episodes = 0;
  #ended = false;

  constructor(path: string, connection: DuckDBConnection, duck: Duck) {
    this.#path = path;
    this.#connection = connection;
    this.#duck = duck;
  }

  get full(): boolean {
    return this.#bufferedBytes >= maxBufferedBytes / 2 || this.#pieces.length > 0;
  }

  async add(
    episode_name: string,
    streams: readonly Stream[],
    calibrations: readonly Calibration[] = [],
  ): Promise<number> {
    const place = this.#episodes++;
    const { about, arrays } = describeEpisode(episode_name, streams, calibrations);
    const text = JSON.stringify(about);
    this.#addRow([place, text, -1, 0, null, null, null], text.length);
    for (const [item, array] of arrays.entries()) {
      const bytes = new Uint8Array(array.values.buffer, array.values.byteOffset, array.values.byteLength);
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        const piece = bytes.subarray(at, at + pieceBytes);
        const [from, to] = array.is_clock ? stampRange(array, at / 8, piece.length / 8) : [null, null];
        const part = at / pieceBytes;
        this.#addRow(
          [place, null, item, part, from, to, new this.#duck.DuckDBBlobValue(piece)],
          piece.length,
        );
        if (this.#rows[0].length >= batchRows) await this.#append();
        if (this.#bufferedBytes >= maxBufferedBytes) await this.#writeOut(this.#nextPiece());
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
    returnConnection(this.#connection);
    for (const leftover of [...this.#pieces.splice(0), `${this.#path}.whole`])
      await rm(leftover, { force: true });
  }

  #addRow(row: readonly DuckDBValue[], bytes: number): void {
    for (let column = 0; column < row.length; column++) this.#rows[column].push(row[column]);
    this.#bufferedBytes += bytes;
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
    this.#bufferedBytes = 0;
  }

  async #run(sql: string): Promise<void> {
    await this.#connection.run(sql).catch((thrown) => {
      throw shardFault(thrown, this.#path);
    });
  }
}

const emptyColumns = (): DuckDBValue[][] => [[], [], [], [], [], [], []];

/** Returns minimum and maximum stamp of a piece of a clock; nulls if it contains no comparable stamp. */
function stampRange(
  { values }: StoredArray,
  first: number,
  count: number,
): readonly [number | null, number | null] {
  let smallest = Number.POSITIVE_INFINITY;
  let largest = Number.NEGATIVE_INFINITY;
  for (let at = first; at < first + count; at++) {
    const time = values[at];
    if (time < smallest) smallest = time;
    if (time > largest) largest = time;
  }
  return smallest <= largest ? [smallest, largest] : [null, null];
}

type Numbers = Float32Array | Float64Array;

/** An array to store; pieces of clocks get stamp ranges. */
interface StoredArray extends ShardArray {
  readonly values: Numbers;
  readonly is_clock: boolean;
}

interface DescribedEpisode {
  readonly about: ShardEpisode;
  readonly arrays: readonly StoredArray[];
}

/** Lists the arrays of an episode, shared ones once, and the metadata that refers to them. */
function describeEpisode(
  name: string,
  streams: readonly Stream[],
  calibrations: readonly Calibration[],
): DescribedEpisode {
  const arrays: StoredArray[] = [];
  const indices = new Map<Numbers, number>();
  const arrayIndex = (values: Numbers, dims: number, is_clock: boolean): number => {
    let place = indices.get(values);
    if (place === undefined) {
      place = arrays.length;
      const type = values instanceof Float32Array ? 'float32' : 'float64';
      arrays.push({ type, dims, rows: dims === 0 ? 0 : values.length / dims, values, is_clock });
      indices.set(values, place);
    }
    return place;
  };
  const about = streams.map((stream): ShardStream => {
    const { id, role, modality, shape, names, unit, declared_rate_hz, sample_count, clock, series } = stream;
    return {
      ...{ id, role, modality, shape, names, unit, declared_rate_hz, sample_count, clock },
      ...(stream.frames === undefined ? {} : { frames: frameLocation(stream.frames) }),
      values: series === undefined ? null : arrayIndex(series.values, series.dims, false),
      clocks: stream.clocks.map(({ name, provenance, time_s }) => ({
        ...{ name, provenance },
        times: arrayIndex(time_s, 1, true),
      })),
    };
  });
  const plain = arrays.map(({ type, dims, rows }) => ({ type, dims, rows }));
  const calibrationPart = calibrations.length === 0 ? {} : { calibrations };
  return { about: { name, arrays: plain, streams: about, ...calibrationPart }, arrays };
}

/** Returns the location of pictures without the samples that the reader extracted; pictures are not stored. */
const frameLocation = ({
  locator,
  declared_size_px,
  declared_codec,
}: Frames): NonNullable<ShardStream['frames']> => ({
  locator,
  declared_size_px,
  declared_codec,
});
