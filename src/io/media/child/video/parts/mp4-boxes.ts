import { closeSync, openSync, readSync } from 'node:fs';
import { type Present, WantsParts } from './parts.ts';

/** Asked for at the beginning, and wherever the next box begins: an index is seldom larger. */
const firstBytes = 4096;
const nextBytes = 32 * 1024;
const headerBytes = 16;
const largestIndex = 64 * 1024 * 1024;

/**
 * Has every box of an MP4 file there but the media data itself (ISO/IEC 14496-12, 4.2): what FFmpeg makes its index from.
 * Wants the whole file where it is none, is cut short or is in fragments, whose index lies all over it.
 */
export function demandIndex(path: string, size: number, present: Present): void {
  const file = openSync(path, 'r');
  try {
    const seen = new Set<string>();
    for (let at = 0; at < size; ) {
      const look = at === 0 ? firstBytes : nextBytes;
      if (!present.has([at, Math.min(size, at + headerBytes)]))
        present.demand([[at, Math.min(size, at + look)]]);
      const { type, bytes } = boxAt(file, at, size);
      if (at === 0 && type !== 'ftyp') throw new WantsParts(null);
      if (type === 'moof' || bytes < 8 || at + bytes > size) throw new WantsParts(null);
      if (type !== 'mdat') {
        if (bytes > largestIndex) throw new WantsParts(null);
        present.demand([[at, at + bytes]]);
      }
      seen.add(type);
      at += bytes;
    }
    if (!seen.has('moov') || !seen.has('mdat')) throw new WantsParts(null);
  } finally {
    closeSync(file);
  }
}

function boxAt(file: number, at: number, size: number): { type: string; bytes: number } {
  const header = Buffer.alloc(headerBytes);
  readSync(file, header, 0, headerBytes, at);
  const short = header.readUInt32BE(0);
  const type = header.toString('latin1', 4, 8);
  if (short === 1) return { type, bytes: Number(header.readBigUInt64BE(8)) };
  return { type, bytes: short === 0 ? size - at : short };
}
