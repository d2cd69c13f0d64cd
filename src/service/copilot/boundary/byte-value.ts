const mostNumbers = 256;
const isByte = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;

/** Whether a value is bytes: in a buffer, as JSON writes one, or as numbers that can only be bytes. */
export function isBytes(value: object): boolean {
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return true;
  if (typeof SharedArrayBuffer !== 'undefined' && value instanceof SharedArrayBuffer) return true;
  if (typeof Blob !== 'undefined' && value instanceof Blob) return true;
  if (Array.isArray(value)) return isRowOfBytes(value);
  return isWrittenBuffer(value) || isIndexedBytes(value);
}

/** `{type: 'Buffer', data: …}`, whatever else is in it. */
function isWrittenBuffer(value: object): boolean {
  const { type, data } = value as { type?: unknown; data?: unknown };
  return type === 'Buffer' && (typeof data === 'string' || Array.isArray(data));
}

/** Many whole numbers from 0 to 255 that are no counting. */
function isRowOfBytes(values: readonly unknown[]): boolean {
  if (values.length < mostNumbers || !values.every(isByte)) return false;
  return values.some((value, at) => at > 0 && Number(value) <= Number(values[at - 1]));
}

/** What JSON makes of a typed array: its numbers under their places. */
function isIndexedBytes(value: object): boolean {
  const keys = Object.keys(value);
  if (keys.length < 16) return false;
  return keys.every((key, at) => key === String(at)) && Object.values(value).every(isByte);
}
