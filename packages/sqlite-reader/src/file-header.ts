import { SqliteError } from './errors.ts';

/** What the first 100 bytes of an SQLite file say (https://www.sqlite.org/fileformat2.html#the_database_header). */
export interface FileHeader {
  /** A power of two from 512 to 65536. */
  readonly page_bytes: number;
  /** Of a page, without what extensions keep at its end; at least 480. */
  readonly usable_bytes: number;
  /** null: written by an SQLite that did not keep it, so the file's size counts. */
  readonly pages: number | null;
  /** Its writer keeps a write-ahead log beside it while it is open. */
  readonly has_log: boolean;
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be';
}

export const headerBytes = 100;
const magic = 'SQLite format 3\0';
const encodings = ['utf-8', 'utf-8', 'utf-16le', 'utf-16be'] as const;

/** True for bytes that start as every SQLite file does. */
export function isSqlite(head: Uint8Array): boolean {
  return head.length >= magic.length && [...magic].every((letter, i) => head[i] === letter.charCodeAt(0));
}

/** Throws `damaged` naming the field that cannot be. */
export function parseFileHeader(head: Uint8Array, path: string): FileHeader {
  if (head.length === 0) throw refused(path, 'not an SQLite database: empty header');
  if (!isSqlite(head)) throw refused(path, 'not an SQLite database: wrong header');
  if (head.length < headerBytes) {
    throw refused(path, `truncated at byte ${head.length}, inside the SQLite header`);
  }
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const declared = view.getUint16(16);
  const page_bytes = declared === 1 ? 65536 : declared;
  if (page_bytes < 512 || (page_bytes & (page_bytes - 1)) !== 0) {
    throw refused(path, `invalid page size of ${page_bytes} bytes`);
  }
  const usable_bytes = page_bytes - head[20];
  if (usable_bytes < 480) throw refused(path, `invalid usable page size of ${usable_bytes} bytes`);
  if (head[21] !== 64 || head[22] !== 32 || head[23] !== 32) {
    throw refused(path, 'payload fractions other than 64, 32, 32');
  }
  const encoding = view.getUint32(56);
  if (encoding > 3) throw refused(path, `unknown text encoding ${encoding}`);
  // The count is kept only by writers that also note for which change it holds.
  const isCounted = view.getUint32(24) === view.getUint32(92) && view.getUint32(28) > 0;
  const pages = isCounted ? view.getUint32(28) : null;
  return { page_bytes, usable_bytes, pages, has_log: head[19] === 2, encoding: encodings[encoding] };
}

function refused(path: string, why: string): SqliteError {
  const advice = 'copy or download the file again, or repair it (sqlite3 FILE .recover)';
  return new SqliteError('damaged', `cannot read ${path}: ${why}`, path, advice);
}
