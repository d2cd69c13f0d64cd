/** Short, so that nobody takes a cursor for encoded bytes: the copilot's boundary lets none of those pass. */
const groups = /^.{8}|.{1,32}/g;

/** Anything JSON in one word of a URL, for cursors: it is read again by `readWord` and by nobody else. */
export function wordOf(value: unknown): string {
  const whole = Buffer.from(JSON.stringify(value)).toString('base64url');
  return (whole.match(groups) ?? []).join('.');
}

/** What `wordOf` was given; null for anything that it did not make. */
export function readWord(word: string): unknown {
  try {
    return JSON.parse(Buffer.from(word.replaceAll('.', ''), 'base64url').toString());
  } catch {
    return null;
  }
}
