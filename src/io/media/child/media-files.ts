import { closeSync, openSync, readSync, realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { isLfsPointer } from '#core';

const headBytes = 512;

/**
 * Describes a file that is not media (empty, Git LFS pointer, zeros, web page, text) from its first bytes; null if they
 * do not tell.
 */
export function describeNonMedia(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, headBytes));
  if (head.length === 0) return 'the file is empty (0 bytes)';
  const text = head.toString('latin1');
  if (isLfsPointer(text)) {
    return 'the file is a Git LFS pointer, not the media itself; fetch it with `git lfs pull`';
  }
  if (head.every((byte) => byte === 0)) return 'the file starts with zero bytes only';
  if (/^\s*<(!doctype|html)/i.test(text)) return 'the file is an HTML page, not media; download it again';
  if (head.every((byte) => byte === 9 || byte === 10 || byte === 13 || (byte >= 32 && byte < 127))) {
    return 'the file is text, not media';
  }
  return null;
}

/** Reads the first 512 bytes of a file, as many as `describeNonMedia` uses. */
export function readHead(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(headBytes);
    return head.subarray(0, readSync(file, head, 0, headBytes, 0));
  } finally {
    closeSync(file);
  }
}

/** Error codes of paths that lead to no file. */
const missingFileCodes = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE']);

/**
 * Returns the real absolute path of a file below the root, `null` if it does not exist or lies outside of `within`;
 * throws other system errors.
 */
export function resolveInside(root: string, path: string, within = root): string | null {
  try {
    const top = realpathSync(within);
    const real = realpathSync(resolve(realpathSync(root), path));
    return real.startsWith(top.endsWith(sep) ? top : top + sep) ? real : null;
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && missingFileCodes.has(String(thrown.code))) return null;
    throw thrown;
  }
}
