import { Readable } from 'node:stream';
import type { Store } from '#store';
import { exportFileKey } from '#work';
import type { FileStretch } from './archive/archive.ts';

/** Bytes that are asked of the blob store at once. */
const piece = 4 * 1024 * 1024;

/** Bytes that can be read from any place on. */
export interface RangedBytes {
  readonly bytes: number;
  /** From the first byte up to the second, which is not among them. */
  open(from: number, until: number): Readable;
}

/** What stretches of an export's files hold, one after the other, read as it is asked for. */
export const readStretches = (
  { blobs }: Pick<Store, 'blobs'>,
  prefix: string,
  stretches: Iterable<Uint8Array | FileStretch>,
): Readable => Readable.from(pieces(blobs, prefix, stretches), { objectMode: false });

async function* pieces(
  blobs: Store['blobs'],
  prefix: string,
  stretches: Iterable<Uint8Array | FileStretch>,
): AsyncGenerator<Uint8Array> {
  for (const stretch of stretches) {
    if (stretch instanceof Uint8Array) {
      yield stretch;
      continue;
    }
    const key = exportFileKey(prefix, stretch.path);
    for (let at = stretch.from; at < stretch.until; at += piece)
      yield await blobs.range(key, at, Math.min(piece, stretch.until - at));
  }
}
