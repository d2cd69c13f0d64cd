import type { JsonValue } from '#core';
import type { Io } from '../../../io.ts';

/** What a command prints as JSON, where its exit code says only what was found. */
export async function printedBy(io: Io, command: (io: Io) => Promise<number>): Promise<JsonValue> {
  const texts: string[] = [];
  await command({
    ...io,
    live: false,
    out: async (text) => {
      texts.push(text);
    },
  });
  return JSON.parse(texts.join(''));
}
