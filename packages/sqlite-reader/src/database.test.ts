import { describe, expect, it } from 'vitest';
import { fillRows, openStored, type ReadRow, rowsOf } from '../testing/rows.ts';
import { storedDatabase } from '../testing/stored-database.ts';

describe('an SQLite file', () => {
  it.each([512, 1024, 4096, 16_384, 65_536])('is read row by row with pages of %i bytes', async (page) => {
    let written: ReadRow[] = [];
    const stored = storedDatabase((database) => {
      database.exec(`PRAGMA page_size = ${page}`);
      written = fillRows(database, 64);
    });
    const { rows, findings } = await rowsOf(stored);
    expect(rows).toEqual(written);
    expect(findings).toEqual([]);
  });

  it('is read across a thousand pages and several levels of its tree', async () => {
    const stored = storedDatabase((database) => {
      database.exec('PRAGMA page_size = 512; CREATE TABLE t (n INTEGER, data); BEGIN');
      const insert = database.prepare('INSERT INTO t VALUES (?, ?)');
      for (let i = 0; i < 8000; i++) insert.run(i, Buffer.from(`row ${i}`));
      database.exec('COMMIT; DELETE FROM t WHERE n % 7 = 0');
    });
    const { rows } = await rowsOf(stored);
    expect(rows.map(({ number }) => number)).toEqual(
      Array.from({ length: 8000 }, (_, i) => i).filter((i) => i % 7 !== 0),
    );
  });

  it('is read where auto-vacuum keeps pages of its own in between', async () => {
    let written: ReadRow[] = [];
    const stored = storedDatabase((database) => {
      database.exec('PRAGMA page_size = 512; PRAGMA auto_vacuum = FULL');
      written = fillRows(database, 200);
    });
    expect((await rowsOf(stored)).rows).toEqual(written);
  });

  it.each(['UTF-8', 'UTF-16le', 'UTF-16be'])('keeps its texts in %s', async (encoding) => {
    const stored = storedDatabase((database) => {
      database.exec(
        `PRAGMA encoding = '${encoding}'; CREATE TABLE t (data TEXT); INSERT INTO t VALUES ('Größe ✓')`,
      );
    });
    const database = await openStored(stored);
    const scan = database.scan('t', ['data']);
    expect((await scan.more()) && scan.next() ? database.text(scan, 0) : null).toBe('Größe ✓');
  });

  it('gives null for columns that were added after the row was written, and for ones that are not there', async () => {
    const stored = storedDatabase((database) => {
      database.exec('CREATE TABLE t (n); INSERT INTO t VALUES (7); ALTER TABLE t ADD COLUMN later TEXT');
    });
    const scan = (await openStored(stored)).scan('t', ['n', 'later', 'never']);
    expect((await scan.more()) && scan.next()).toBe(true);
    expect([scan.row.number(0), scan.row.isNull(1), scan.row.isNull(2)]).toEqual([7, true, true]);
  });

  it('runs nothing of itself: triggers and views are names, and a view in place of a table is refused', async () => {
    const stored = storedDatabase((database) => {
      database.exec(`CREATE TABLE t (n, data); INSERT INTO t VALUES (1, x'00');
        CREATE TABLE log (n);
        CREATE TRIGGER t AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.n); END;
        CREATE VIEW v AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS n, x AS data FROM c`);
    });
    expect((await rowsOf(stored)).rows).toHaveLength(1);
    const database = await openStored(stored);
    expect(database.typeOf('v')).toBe('view');
    expect(() => database.scan('v', ['n'])).toThrow('v is a view, which is not supported');
  });

  it.each([
    [
      'without row numbers',
      'CREATE TABLE t (n INTEGER PRIMARY KEY, data) WITHOUT ROWID',
      'unsupported_table',
    ],
    ['with computed columns', 'CREATE TABLE t (a, n AS (a + 1), data)', 'unsupported_table'],
    ['of an extension', 'CREATE VIRTUAL TABLE t USING fts5(n, data)', 'not_run'],
  ])('refuses a table %s', async (_, sql, kind) => {
    const database = await openStored(storedDatabase((one) => one.exec(sql)));
    expect(() => database.scan('t', ['n'])).toThrow(expect.objectContaining({ kind }));
  });
});
