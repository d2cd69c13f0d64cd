import { AssayError } from '#core';

/** S3 allows 1,024 bytes; the rest is left to the store's prefix. */
const longestKey = 900;
const longestName = 255;
/** Control characters, and the separators and wildcards of one system or another that never mean themselves. */
const unfit = /[\p{Cc}\\]/u;

/**
 * Throws `invalid_request` for a key that could name anything but one object below the store's root: absolute, with
 * `..`, empty names, control characters or a backslash, or longer than every store allows.
 */
export function checkBlobKey(key: string): void {
  const wrong = wrongWith(key);
  if (wrong === null) return;
  throw new AssayError('invalid_request', `the blob key ${JSON.stringify(key.slice(0, 100))} ${wrong}`, {
    advice: 'use relative names divided by /, without .. and control characters',
  });
}

function wrongWith(key: string): string | null {
  if (Buffer.byteLength(key) > longestKey) return `is longer than ${longestKey} bytes`;
  if (unfit.test(key) || !key.isWellFormed()) return 'has characters that no key may have';
  for (const name of key.split('/')) {
    if (name === '' || name === '.' || name === '..') return 'has an empty name, . or .. in it';
    if (Buffer.byteLength(name) > longestName) return `has a name longer than ${longestName} bytes`;
  }
  return key.startsWith(stagingFolder) ? `starts with ${stagingFolder}` : null;
}

/** Where a local store keeps what is not whole yet. */
export const stagingFolder = '.staging';

/** The order of UTF-8 bytes, in which S3 lists. */
export function compareKeys(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
