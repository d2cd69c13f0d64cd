import { appendFile, open } from 'node:fs/promises';
import { AssayError } from '#core';
import type { Film } from '#io/media';

const header_bytes = 8;
const text_bytes = 512;

/** Writes what is known of a film behind it, in a box that players pass over (`free`, ISO/IEC 14496-12, 8.1.2). */
export async function addFacts(path: string, film: Film): Promise<void> {
  const box = Buffer.alloc(header_bytes + text_bytes, ' ');
  box.writeUInt32BE(box.length, 0);
  box.write('free', 4, 'latin1');
  const text = JSON.stringify(film);
  if (Buffer.byteLength(text) > text_bytes) throw new AssayError('internal', 'a film has too many facts');
  box.write(text, header_bytes);
  await appendFile(path, box);
}

export async function readFacts(path: string, bytes: number): Promise<Film> {
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(text_bytes), 0, text_bytes, bytes - text_bytes);
    return JSON.parse(buffer.toString()) as Film;
  } finally {
    await file.close();
  }
}
