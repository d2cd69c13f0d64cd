import { Readable } from 'node:stream';
import { exportFileKey } from '#engine';
import type { FileRange } from '#io/archives';
import type { Store } from '#store';

/** Bytes that are asked of the blob store at once. */
const piece = 4 * 1024 * 1024;

/** Bytes that can be read from any place on. */
export interface RangedBytes {
  readonly bytes: number;
  /** From the first byte up to the second, which is not among them. */
  open(from: number, until: number): Readable;
}

/** What ranges of an export's files hold, one after the other, read as it is asked for. */
export const readFileRanges = (
  { blobs }: Pick<Store, 'blobs'>,
  prefix: string,
  ranges: Iterable<Uint8Array | FileRange>,
): Readable => Readable.from(pieces(blobs, prefix, ranges), { objectMode: false });

async function* pieces(
  blobs: Store['blobs'],
  prefix: string,
  ranges: Iterable<Uint8Array | FileRange>,
): AsyncGenerator<Uint8Array> {
  for (const range of ranges) {
    if (range instanceof Uint8Array) {
      yield range;
      continue;
    }
    const key = exportFileKey(prefix, range.path);
    for (let at = range.from; at < range.until; at += piece)
      yield await blobs.range(key, at, Math.min(piece, range.until - at));
  }
}
