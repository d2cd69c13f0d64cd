import type { JsonObject, JsonValue } from '#core';
import { type ElementType, elementType } from './element-type.ts';

/** An array as its `.zarray` describes it (zarr v2 specification). */
export interface ArrayMeta {
  /** `data/action`. */
  readonly key: string;
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  /** Null: elements that are no numbers. */
  readonly type: ElementType | null;
  /** As written, for messages. */
  readonly dtype: string;
  readonly compressor: JsonObject | null;
  readonly filters: readonly JsonObject[];
  /** What a chunk that is not there stands for. */
  readonly fill: number;
  readonly order: 'C' | 'F';
  readonly separator: string;
  /** Bytes of a decoded chunk. */
  readonly chunk_bytes: number;
}

const mostDimensions = 8;
/** Libraries suggest 2 MB; a chunk beyond this is not decoded. */
const mostChunkBytes = 256 * 1024 * 1024;

/** Parses a `.zarray`. Throws RangeError that says what is wrong with it. */
export function parseArrayMeta(key: string, value: JsonValue): ArrayMeta {
  if (!isObject(value)) throw new RangeError('it is no JSON object');
  if (value.zarr_format !== 2)
    throw new RangeError(`it says zarr_format ${JSON.stringify(value.zarr_format ?? null)}`);
  const shape = sizes(value.shape, 0);
  const chunks = sizes(value.chunks, 1);
  if (shape === null || chunks === null || shape.length !== chunks.length || shape.length > mostDimensions)
    throw new RangeError('its shape and chunks are not two lists of as many sizes');
  const type = elementType(value.dtype);
  const chunk_bytes = chunks.reduce((product, size) => product * size, type?.bytes ?? 1);
  if (!(chunk_bytes <= mostChunkBytes))
    throw new RangeError(`its chunks are ${chunk_bytes} bytes; at most ${mostChunkBytes} are decoded`);
  return {
    ...{ key, shape, chunks, type, chunk_bytes },
    dtype: typeof value.dtype === 'string' ? value.dtype : 'a record type',
    compressor: isObject(value.compressor) ? value.compressor : null,
    filters: Array.isArray(value.filters) ? value.filters.filter(isObject) : [],
    fill: fillOf(value.fill_value, type),
    order: value.order === 'F' ? 'F' : 'C',
    separator: value.dimension_separator === '/' ? '/' : '.',
  };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Chunks that the array must have. */
export function chunkCount({ shape, chunks }: ArrayMeta): number {
  return shape.reduce((product, size, d) => product * Math.ceil(size / chunks[d]), 1);
}

/** Numbers of one row, that is of one index of the first dimension. */
export function rowWidth({ shape }: ArrayMeta): number {
  return shape.slice(1).reduce((product, size) => product * size, 1);
}

function sizes(value: JsonValue | undefined, least: number): number[] | null {
  if (!Array.isArray(value)) return null;
  const found = value.filter((size): size is number => Number.isSafeInteger(size) && Number(size) >= least);
  const product = found.reduce((a, b) => a * Math.max(1, b), 1);
  return found.length === value.length && Number.isSafeInteger(product) ? found : null;
}

/** No fill value leaves a missing chunk undefined: NaN where the numbers can say so. */
function fillOf(value: JsonValue | undefined, type: ElementType | null): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === 'Infinity') return Number.POSITIVE_INFINITY;
  if (value === '-Infinity') return Number.NEGATIVE_INFINITY;
  return type?.float === true ? Number.NaN : 0;
}
