import type { Series } from '#core/episode';
import type { Leaf } from '../feature-tree.ts';

interface NumberType {
  readonly bytes: number;
  /** Whether a double is needed to hold every value. */
  readonly wide: boolean;
  read(view: DataView, at: number): number;
}

const types: Readonly<Record<string, NumberType>> = {
  bool: { bytes: 1, wide: false, read: (view, at) => view.getUint8(at) },
  uint8: { bytes: 1, wide: false, read: (view, at) => view.getUint8(at) },
  int8: { bytes: 1, wide: false, read: (view, at) => view.getInt8(at) },
  uint16: { bytes: 2, wide: false, read: (view, at) => view.getUint16(at, true) },
  int16: { bytes: 2, wide: false, read: (view, at) => view.getInt16(at, true) },
  uint32: { bytes: 4, wide: true, read: (view, at) => view.getUint32(at, true) },
  int32: { bytes: 4, wide: true, read: (view, at) => view.getInt32(at, true) },
  int64: { bytes: 8, wide: true, read: (view, at) => Number(view.getBigInt64(at, true)) },
  float32: { bytes: 4, wide: false, read: (view, at) => view.getFloat32(at, true) },
  float64: { bytes: 8, wide: true, read: (view, at) => view.getFloat64(at, true) },
};

/** Bytes of one number of a type; null for a type that is not read. */
export function bytesOfType(dtype: string | null): number | null {
  return dtype === null ? null : (types[dtype]?.bytes ?? null);
}

/** Rows of `dims` numbers from the bytes of each; null where a row has not as many bytes as it must. */
export function decodeTensors(
  { dtype }: Leaf,
  dims: number,
  rows: number,
  bytesOf: (row: number) => Uint8Array,
): Series | null {
  const type = types[dtype ?? ''];
  if (type === undefined) return null;
  const values = type.wide ? new Float64Array(rows * dims) : new Float32Array(rows * dims);
  for (let row = 0; row < rows; row++) {
    const bytes = bytesOf(row);
    if (bytes.length !== dims * type.bytes) return null;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let d = 0; d < dims; d++) values[row * dims + d] = type.read(view, d * type.bytes);
  }
  return { values, dims };
}
