import type { Io } from '../io.ts';
import { bytesInWords } from '../words.ts';

const every_ms = 5000;

/** Shows how far a download has come: one line that is rewritten on a terminal, a plain line every few seconds elsewhere. */
export function createByteLine(
  io: Io,
  what: string,
): { show(path: string, bytes: number, total: number | null): void; end(): void } {
  let width = 0;
  let shown_ms = Date.now();
  const show = (path: string, bytes: number, total: number | null) => {
    const now = Date.now();
    if (now - shown_ms < (io.live ? 100 : every_ms)) return;
    shown_ms = now;
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
