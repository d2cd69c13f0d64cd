import { bytesInMemory, Database, SqliteError } from '../src/index.ts';
import { fillRows } from './rows.ts';
import { storedDatabase } from './stored-database.ts';

/** Good files, small enough to be read thousands of times. */
export function seeds(): ReadonlyMap<string, Buffer> {
  const sized = (page: number, count: number) =>
    Buffer.from(
      storedDatabase((database) => {
        database.exec(`PRAGMA page_size = ${page}`);
        fillRows(database, count);
      }).main,
    );
  return new Map([
    ['pages-of-512', sized(512, 12)],
    ['pages-of-4096', sized(4096, 14)],
  ]);
}

/** Reads every row of the table `t` and answers what was found wrong; anything else is thrown on. */
export async function read(bytes: Uint8Array): Promise<readonly string[]> {
  try {
    const main = { file: bytesInMemory(bytes), bytes: bytes.length };
    const database = await Database.open({ path: 'fuzzed.db', main, wal: null, journal: null });
    const scan = database.scan('t', ['n', 'data']);
    while (await scan.more()) while (scan.next()) database.text(scan, 1);
    return database.problems.all().map(({ code }) => code);
  } catch (thrown) {
    if (thrown instanceof SqliteError) return [thrown.kind];
    throw thrown;
  }
}
