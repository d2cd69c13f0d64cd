import { printable } from './text.ts';

/** Input and output of a command: results go to `out`, everything else to `note`. */
export interface Io {
  /**
   * Writes to standard output with control characters escaped. Resolves once written, so that a slow reader slows the
   * writer down.
   */
  out(text: string): Promise<void>;
  note(text: string): void;
  /** `true` if `note` writes to a terminal, where `\r` rewrites the current line. */
  readonly live: boolean;
  readonly columns: number;
  /** `true` if standard output accepts colours. */
  readonly colours: boolean;
  readonly signal: AbortSignal;
}

/** Creates the `Io` of this process, aborted by `signal`. Assumes 110 columns if the width is unknown. */
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

/** Takes the exit code that a command ends with. */
export type Exit = (code: number) => void;
