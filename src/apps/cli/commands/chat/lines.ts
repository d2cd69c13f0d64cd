import { createInterface } from 'node:readline';
import type { Io } from '../../io.ts';
import { printable } from '../../printable.ts';

/** Lines that a person types, or that another program writes. */
export interface Lines {
  /** Shows what is asked, and gives the next line; null where there will be none, or the person stops. */
  next(prompt: string): Promise<string | null>;
  close(): void;
}

/** Standard input is read from the first line that is asked for, so that a message on the command line needs none. */
export function openLines(io: Io): Lines {
  let reader: ReturnType<typeof createInterface> | null = null;
  let iterator: AsyncIterator<string> | null = null;
  const open = () => {
    reader = createInterface({ input: process.stdin });
    io.signal.addEventListener('abort', () => reader?.close(), { once: true });
    return reader[Symbol.asyncIterator]();
  };
  return {
    next: async (prompt) => {
      if (io.signal.aborted) return null;
      iterator ??= open();
      io.note(printable(prompt));
      const { done, value } = await iterator.next();
      return done === true ? null : value;
    },
    close: () => reader?.close(),
  };
}
