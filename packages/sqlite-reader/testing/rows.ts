import type { DatabaseSync } from 'node:sqlite';
import { bytesInMemory, Database, type SqliteProblem } from '../src/index.ts';
import type { StoredDatabase } from './stored-database.ts';

export type Stored = Partial<StoredDatabase> & Pick<StoredDatabase, 'main'>;

const sized = (bytes: Uint8Array | undefined) =>
  bytes === undefined || bytes.length === 0 ? null : { file: bytesInMemory(bytes), bytes: bytes.length };

export function openStored({ main, wal, journal }: Stored): Promise<Database> {
  const file = { file: bytesInMemory(main), bytes: main.length };
  return Database.open({ path: 'x.db', main: file, wal: sized(wal), journal: sized(journal) });
}

export interface ReadRow {
  readonly rowid: number;
  readonly number: number;
  readonly data: string;
}

/** Rows of the table `t (n, data)`, and what was found wrong. */
export async function rowsOf(
  stored: Stored,
): Promise<{ rows: ReadRow[]; findings: readonly SqliteProblem[] }> {
  const database = await openStored(stored);
  const scan = database.scan('t', ['n', 'data']);
  const rows: ReadRow[] = [];
  while (await scan.more()) {
    while (scan.next()) {
      const { row, rowid } = scan;
      const data = Buffer.from(row.bytes.subarray(row.start(1), row.end(1))).toString('base64');
      rows.push({ rowid, number: row.number(0), data });
    }
  }
  return { rows, findings: database.problems.all() };
}

const sizes = [0, 1, 50, 400, 470, 480, 500, 1000, 3000, 4040, 4060, 4090, 5000, 20_000, 70_000, 200_000];
const integers = [
  0,
  1,
  -1,
  127,
  -128,
  128,
  32767,
  -32768,
  8388607,
  -8388608,
  2 ** 31 - 1,
  -(2 ** 31),
  2 ** 40,
  -(2 ** 47),
  2 ** 53 - 1,
];

/** Rows of every size and every width of integer, at numbers with gaps between them. */
export function fillRows(database: DatabaseSync, count = sizes.length): ReadRow[] {
  database.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, data BLOB)');
  const insert = database.prepare('INSERT INTO t VALUES (?, ?, ?)');
  return Array.from({ length: count }, (_, i) => {
    const data = Uint8Array.from({ length: sizes[i % sizes.length] }, (_, j) => i * 31 + j * 7 + (j >> 8));
    const row = { rowid: i * 3 + 1, number: integers[i % integers.length], data };
    insert.run(row.rowid, row.number, data);
    return { ...row, data: Buffer.from(data).toString('base64') };
  });
}
