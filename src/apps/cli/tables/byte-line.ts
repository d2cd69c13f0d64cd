import type { Io } from '../io.ts';
import { bytesInWords } from '../text.ts';

const logInterval_ms = 5000;

/** Creates a progress line for downloads: rewritten in place on a terminal, a new line every few seconds in a log. */
export function createByteLine(
  io: Io,
  what: string,
): { show(path: string, bytes: number, total: number | null): void; end(): void } {
  let width = 0;
  let lastShown_ms = Date.now();
  const show = (path: string, bytes: number, total: number | null) => {
    const now = Date.now();
    if (now - lastShown_ms < (io.live ? 100 : logInterval_ms)) return;
    lastShown_ms = now;
    const of = total === null ? '' : ` of ${bytesInWords(total)}`;
    const text = `assay: ${what}, ${path}: ${bytesInWords(bytes)}${of}`.slice(0, io.columns - 1);
    io.note(io.live ? `\r${text.padEnd(width)}` : `${text}\n`);
    if (io.live) width = text.length;
  };
  const end = () => {
    if (width > 0) io.note(`\r${' '.repeat(width)}\r`);
    width = 0;
  };
  return { show, end };
}
