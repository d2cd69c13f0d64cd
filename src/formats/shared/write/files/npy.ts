const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0] as const;
/** The data begins at a multiple of it (numpy/lib/format.py). */
const aligned = 64;

/** An array of numbers as NumPy saves it (.npy, version 1.0), row-major. */
export function npyFile(values: Float32Array | Float64Array, shape: readonly number[]): Uint8Array {
  const type = values instanceof Float64Array ? '<f8' : '<f4';
  const sides = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const words = `{'descr': '${type}', 'fortran_order': False, 'shape': (${sides}), }`;
  const head = magic.length + 2;
  const length = Math.ceil((head + words.length + 1) / aligned) * aligned - head;
  const out = Buffer.alloc(head + length + values.byteLength);
  out.set(magic);
  out.writeUInt16LE(length, magic.length);
  out.write(`${words.padEnd(length - 1)}\n`, head, 'latin1');
  out.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), head + length);
  return out;
}
