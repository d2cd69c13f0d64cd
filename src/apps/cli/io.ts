import { printable } from './printable.ts';

/** Where a command writes: results to `out`, everything else to `note`. */
export interface Io {
  /** Takes control characters out. Resolves when it was taken, so that a slow reader slows the writer. */
  out(text: string): Promise<void>;
  note(text: string): void;
  /** Replaces the line before the cursor; only where `live`. */
  readonly live: boolean;
  readonly columns: number;
  /** Standard output takes colours. */
  readonly colours: boolean;
  readonly signal: AbortSignal;
}

export function processIo(signal: AbortSignal): Io {
  const { stdout, stderr } = process;
  const colours = stdout.isTTY === true && stdout.hasColors() && !('NO_COLOR' in process.env);
  return {
    out: (text) =>
      new Promise((resolve, reject) => {
        stdout.write(printable(text, colours), (error) => (error ? reject(error) : resolve()));
      }),
    note: (text) => void stderr.write(text),
    live: stderr.isTTY === true,
    // 0 in terminals that do not say.
    columns: stdout.columns || 110,
    colours,
    signal,
  };
}
