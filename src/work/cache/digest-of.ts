import { createHash, type Hash } from 'node:crypto';

/** SHA-256 of plain data: two values have the same one only where they are alike in every member and byte. */
export function digestOf(value: unknown): string {
  const hash = createHash('sha256');
  add(hash, value);
  return hash.digest('hex');
}

/** Each part begins with its type and length, so that no two values read the same. */
function add(hash: Hash, value: unknown): void {
  if (ArrayBuffer.isView(value)) {
    hash.update(`${value.constructor.name} ${value.byteLength}\0`);
    hash.update(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  } else if (Array.isArray(value)) {
    hash.update(`list ${value.length}\0`);
    for (const item of value) add(hash, item);
  } else if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value).sort();
    hash.update(`object ${keys.length}\0`);
    for (const key of keys) {
      add(hash, key);
      add(hash, (value as Record<string, unknown>)[key]);
    }
  } else {
    const text = Object.is(value, -0) ? '-0' : String(value);
    hash.update(`${typeof value} ${text.length} ${text}\0`);
  }
}
