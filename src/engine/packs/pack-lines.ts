import { AssayError } from '#core';
import type { Blobs } from '#store';
import type { Extent } from './pack-writer.ts';

const blockBytes = 4 << 20;

/** The lines of a section of a pack, in order; the next block is fetched while those of one are worked on. */
export async function* packLines(
  blobs: Blobs,
  key: string,
  [offset, length]: Extent,
): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  const end = offset + length;
  const fetch = (at: number) => (at < end ? blobs.range(key, at, Math.min(blockBytes, end - at)) : null);
  let next = fetch(offset);
  for (let at = offset; next !== null; ) {
    const block = Buffer.from(await next);
    if (block.length === 0) throw new AssayError('internal', `the pack ${key} ends before ${end}`);
    at += block.length;
    next = fetch(at);
    // Looked at only when its turn comes.
    next?.catch(() => {});
    const bytes = rest.length === 0 ? block : Buffer.concat([rest, block]);
    let start = 0;
    for (let stop = bytes.indexOf(10); stop >= 0; stop = bytes.indexOf(10, start)) {
      yield bytes.toString('utf8', start, stop);
      start = stop + 1;
    }
    rest = bytes.subarray(start);
  }
}
