import { closeSync, openSync, readSync } from 'node:fs';
import { isLfsPointer } from '#core';

const headBytes = 512;

/** What a file is that is no media at all, said plainly; null when its first bytes do not tell. */
export function notMedia(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, headBytes));
  if (head.length === 0) return 'the file is empty (0 bytes)';
  const text = head.toString('latin1');
  if (isLfsPointer(text)) {
    return 'the file is a Git LFS pointer, not the media itself; fetch it with `git lfs pull`';
  }
  if (head.every((byte) => byte === 0)) return 'the file begins with zero bytes only';
  if (/^\s*<(!doctype|html)/i.test(text)) return 'the file is a web page, not media; download it again';
  if (head.every((byte) => byte === 9 || byte === 10 || byte === 13 || (byte >= 32 && byte < 127))) {
    return 'the file is text, not media';
  }
  return null;
}

/** The first bytes of a file, as many as `notMedia` looks at. */
export function headOf(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(headBytes);
    return head.subarray(0, readSync(file, head, 0, headBytes, 0));
  } finally {
    closeSync(file);
  }
}
