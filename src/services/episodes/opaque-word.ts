/** Anything JSON in one word of a URL, for cursors: it is read again by `readWord` and by nobody else. */
export const wordOf = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** What `wordOf` was given; null for anything that it did not make. */
export function readWord(word: string): unknown {
  try {
    return JSON.parse(Buffer.from(word, 'base64url').toString());
  } catch {
    return null;
  }
}
