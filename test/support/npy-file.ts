/** Storage options of a test array. Defaults to little-endian doubles. */
export interface NpyOptions {
  readonly descr?: string;
  readonly fortran?: boolean;
  /** Said in the header in place of the real one. */
  readonly shape?: string;
  readonly version?: 1 | 2;
}

/** The bytes numpy.save writes for rows of doubles; other types come with their own `body`. */
export function npyBytes(
  shape: readonly number[],
  body: Float64Array | Uint8Array,
  options: NpyOptions = {},
): Uint8Array {
  const { descr = '<f8', fortran = false, version = 1 } = options;
  const said = options.shape ?? `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`;
  const start = version === 1 ? 10 : 12;
  const text = `{'descr': '${descr}', 'fortran_order': ${fortran ? 'True' : 'False'}, 'shape': ${said}, }`;
  const length = Math.ceil((start + text.length + 1) / 64) * 64 - start;
  const head = Buffer.alloc(start + length, ' ');
  head.write('\x93NUMPY', 0, 'latin1');
  head[6] = version;
  head[7] = 0;
  if (version === 1) head.writeUInt16LE(length, 8);
  else head.writeUInt32LE(length, 8);
  head.write(text, start, 'latin1');
  head[start + length - 1] = 0x0a;
  return Buffer.concat([head, Buffer.from(body.buffer, body.byteOffset, body.byteLength)]);
}
