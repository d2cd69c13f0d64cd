import { elementsOf } from '../dataspace.ts';
import { beyondLimit, damaged, type Place } from '../errors.ts';
import type { FileBytes } from '../file-bytes.ts';
import { limits } from '../limits.ts';

/** What reading the elements of one dataset takes. */
export interface StoredRows {
  readonly bytes: FileBytes;
  readonly shape: readonly number[];
  readonly elementBytes: number;
  readonly place: Place;
  /** One element; null: zeros. */
  readonly fill: Uint8Array | null;
}

/** Room for elements, filled with the fill value where it is not zeros. */
export function filled({ fill, elementBytes, place }: StoredRows, elements: number): Uint8Array<ArrayBuffer> {
  const length = elements * elementBytes;
  if (length > limits.answerBytes) throw beyondLimit(`read of ${length} bytes at once`, place);
  const bytes = new Uint8Array(length);
  if (fill === null || fill.length !== elementBytes || length === 0) return bytes;
  bytes.set(fill);
  for (let done = elementBytes; done < length; done *= 2)
    bytes.copyWithin(done, 0, Math.min(done, length - done));
  return bytes;
}

/** Gives memory of at least so many bytes, whatever is in it. */
export type Room = (bytes: number) => ArrayBuffer;

/** Rows of a dataset that lies in one piece, in memory of their own unless there is room for them. */
export async function readContiguous(
  rows: StoredRows,
  address: number | null,
  from: number,
  to: number,
  room: Room = (bytes) => Buffer.allocUnsafeSlow(bytes).buffer,
): Promise<Uint8Array<ArrayBuffer>> {
  const rowElements = elementsOf(rows.shape.slice(1));
  if (address === null) return filled(rows, (to - from) * rowElements);
  const rowBytes = rowElements * rows.elementBytes;
  const position = rows.bytes.base + address + from * rowBytes;
  const length = (to - from) * rowBytes;
  // Before room is made for it.
  if (position + length > rows.bytes.size) {
    throw damaged(
      `rows ${from} to ${to} are beyond the end of the file (${rows.bytes.size} bytes)`,
      rows.place,
    );
  }
  if (length > limits.answerBytes) throw beyondLimit(`read of ${length} bytes at once`, rows.place);
  // Not zeroed: every byte of it is read.
  const bytes = new Uint8Array(room(length), 0, length);
  await rows.bytes.fill(bytes, address + from * rowBytes);
  return bytes;
}
