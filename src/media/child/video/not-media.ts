import { closeSync, openSync, readSync } from 'node:fs';

/** What a file is that is no media at all, said plainly; null when its first bytes do not tell. */
export function notMedia(path: string): string | null {
  const head = firstBytes(path, 512);
  if (head.length === 0) return 'the file is empty (0 bytes)';
  const text = head.toString('latin1');
  if (text.startsWith('version https://git-lfs')) {
    return 'the file is a Git LFS pointer, not the media itself; fetch it with `git lfs pull`';
  }
  if (head.every((byte) => byte === 0)) return 'the file begins with zero bytes only';
  if (/^\s*<(!doctype|html)/i.test(text)) return 'the file is a web page, not media; download it again';
  if (head.every((byte) => byte === 9 || byte === 10 || byte === 13 || (byte >= 32 && byte < 127))) {
    return 'the file is text, not media';
  }
  return null;
}

function firstBytes(path: string, length: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(length);
    return head.subarray(0, readSync(file, head, 0, length, 0));
  } finally {
    closeSync(file);
  }
}
