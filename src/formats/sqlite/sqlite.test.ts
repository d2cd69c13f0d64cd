import type { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { Finding } from '#episode';
import { AssayError, seededRandom } from '#kernel';
import { type StoredDatabase, storedDatabase } from '../../../test/support/sqlite-files.ts';
import { fileOfBytes } from '../bytes/memory-file.ts';
import { Database } from './database.ts';

type Stored = Partial<StoredDatabase> & Pick<StoredDatabase, 'main'>;

const sized = (bytes: Uint8Array | undefined) =>
  bytes === undefined || bytes.length === 0 ? null : { file: fileOfBytes(bytes), bytes: bytes.length };

function open({ main, wal, journal }: Stored): Promise<Database> {
  const file = { file: fileOfBytes(main), bytes: main.length };
  return Database.open({ path: 'x.db', main: file, wal: sized(wal), journal: sized(journal) });
}

interface ReadRow {
  readonly rowid: number;
  readonly number: number;
  readonly data: string;
}

/** Rows of the table `t (n, data)`, and what was found wrong. */
async function rowsOf(stored: Stored): Promise<{ rows: ReadRow[]; findings: readonly Finding[] }> {
  const database = await open(stored);
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
function fillRows(database: DatabaseSync, count = sizes.length): ReadRow[] {
  database.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, data BLOB)');
  const insert = database.prepare('INSERT INTO t VALUES (?, ?, ?)');
  return Array.from({ length: count }, (_, i) => {
    const data = Uint8Array.from({ length: sizes[i % sizes.length] }, (_, j) => i * 31 + j * 7 + (j >> 8));
    const row = { rowid: i * 3 + 1, number: integers[i % integers.length], data };
    insert.run(row.rowid, row.number, data);
    return { ...row, data: Buffer.from(data).toString('base64') };
  });
}

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
    const database = await open(stored);
    const scan = database.scan('t', ['data']);
    expect((await scan.more()) && scan.next() ? database.text(scan, 0) : null).toBe('Größe ✓');
  });

  it('gives null for columns that were added after the row was written, and for ones that are not there', async () => {
    const stored = storedDatabase((database) => {
      database.exec('CREATE TABLE t (n); INSERT INTO t VALUES (7); ALTER TABLE t ADD COLUMN later TEXT');
    });
    const scan = (await open(stored)).scan('t', ['n', 'later', 'never']);
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
    const database = await open(stored);
    expect(database.typeOf('v')).toBe('view');
    expect(() => database.scan('v', ['n'])).toThrow('v is a view, and those are not run');
  });

  it.each([
    ['without row numbers', 'CREATE TABLE t (n INTEGER PRIMARY KEY, data) WITHOUT ROWID'],
    ['with computed columns', 'CREATE TABLE t (a, n AS (a + 1), data)'],
    ['of an extension', 'CREATE VIRTUAL TABLE t USING fts5(n, data)'],
  ])('refuses a table %s', async (_, sql) => {
    const database = await open(storedDatabase((one) => one.exec(sql)));
    expect(() => database.scan('t', ['n'])).toThrow(expect.objectContaining({ code: 'unsupported_version' }));
  });
});

describe('a write-ahead log', () => {
  /** Three transactions in the log, a fourth that was never committed, and what SQLite would show. */
  function logged(): StoredDatabase {
    return storedDatabase((database) => {
      database.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = 2');
      database.exec('CREATE TABLE t (n INTEGER, data); PRAGMA wal_checkpoint(TRUNCATE)');
      const insert = database.prepare('INSERT INTO t VALUES (?, zeroblob(9000))');
      for (const n of [1, 2, 3]) insert.run(n);
      database.exec('BEGIN');
      for (let n = 4; n < 40; n++) insert.run(n);
    }, 'open');
  }

  it('is applied up to its last whole transaction', async () => {
    const stored = logged();
    expect((await rowsOf({ main: stored.main })).rows).toEqual([]);
    const { rows, findings } = await rowsOf(stored);
    expect(rows.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(findings.map(({ code }) => code)).toEqual(['wal_applied']);
  });

  it('counts only as far as its checksums hold', async () => {
    const { main, wal } = logged();
    const found = new Set<number>();
    for (let at = 40; at < wal.length; at += 4001) {
      const spoilt = wal.slice();
      spoilt[at] ^= 1;
      const { rows } = await rowsOf({ main, wal: spoilt });
      // Never a part of a transaction, never one behind a frame that does not hold.
      expect(rows.map(({ number }) => number)).toEqual([1, 2, 3].slice(0, rows.length));
      found.add(rows.length);
    }
    expect([...found].sort()).toEqual([0, 1, 2, 3]);
  });

  it('is left out where it belongs to another file, and that is said', async () => {
    const { main, wal } = logged();
    const spoilt = wal.slice();
    spoilt[10] ^= 1;
    const { rows, findings } = await rowsOf({ main, wal: spoilt });
    expect(rows).toEqual([]);
    expect(findings.map(({ code }) => code)).toEqual(['wal_unusable']);
  });

  it('leaves what an earlier log left behind alone', async () => {
    const { main, wal } = logged();
    const frame = 24 + 4096;
    const old = wal.slice(32, 32 + frame);
    old[8] ^= 1;
    const { rows } = await rowsOf({ main, wal: new Uint8Array([...wal.slice(0, 32), ...old]) });
    expect(rows).toEqual([]);
  });
});

describe('a hot journal', () => {
  /** A transaction that had reached the file when the writer died: rows 1 to 3 were whole before it. */
  function crashed(): StoredDatabase {
    return storedDatabase((database) => {
      database.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; PRAGMA cache_size = 2');
      database.exec('CREATE TABLE t (n INTEGER, data)');
      for (const n of [1, 2, 3]) database.prepare('INSERT INTO t VALUES (?, zeroblob(9000))').run(n);
      database.exec('BEGIN; UPDATE t SET n = n + 100');
      for (let n = 4; n < 60; n++) database.prepare('INSERT INTO t VALUES (?, zeroblob(9000))').run(n);
    }, 'open');
  }

  it('is rolled back, as SQLite would', async () => {
    const stored = crashed();
    expect(stored.journal.length).toBeGreaterThan(0);
    expect((await rowsOf({ main: stored.main })).rows.map(({ number }) => number)).not.toEqual([1, 2, 3]);
    const { rows, findings } = await rowsOf(stored);
    expect(rows.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(findings.map(({ code }) => code)).toEqual(['journal_applied']);
  });

  it('that was ended by clearing its header is none', async () => {
    const { main } = storedDatabase((database) => fillRows(database));
    const { findings } = await rowsOf({ main, journal: new Uint8Array(4096) });
    expect(findings).toEqual([]);
  });

  it('of another page size, or of several databases, is left out and said', async () => {
    const { main, journal } = crashed();
    const other = journal.slice();
    other[26] ^= 0x30;
    expect((await rowsOf({ main, journal: other })).findings.map(({ code }) => code)).toContain(
      'journal_unusable',
    );
    const named = new Uint8Array([...journal, ...journal.slice(0, 8)]);
    expect((await rowsOf({ main, journal: named })).findings[0].message).toContain('several databases');
  });
});

describe('a hostile SQLite file', () => {
  const good = storedDatabase((database) => {
    database.exec('PRAGMA page_size = 1024');
    fillRows(database, 120);
  }).main;
  const spoilt = (change: (bytes: Uint8Array, view: DataView) => void): Uint8Array => {
    const bytes = good.slice();
    change(bytes, new DataView(bytes.buffer));
    return bytes;
  };
  const codes = async (main: Uint8Array) => (await rowsOf({ main })).findings.map(({ code }) => code);
  /** Pages of one kind, as offsets. */
  const pages = (kind: number) =>
    Array.from({ length: good.length / 1024 - 1 }, (_, i) => (i + 1) * 1024).filter(
      (at) => good[at] === kind,
    );

  it.each([
    ['no bytes', () => new Uint8Array(0), 'its header is empty'],
    ['a text', () => Buffer.from('SQLite is a C-language library '.repeat(40)), 'no SQLite database'],
    ['pages of 0 bytes', () => spoilt((bytes) => bytes.fill(0, 16, 18)), 'pages of 0 bytes'],
    ['pages of 1000 bytes', () => spoilt((_, view) => view.setUint16(16, 1000)), 'pages of 1000 bytes'],
    [
      'no room in a page',
      () => spoilt((_, view) => view.setUint8(20, 255) ?? view.setUint16(16, 512)),
      '257 bytes',
    ],
    ['an encoding of its own', () => spoilt((_, view) => view.setUint32(56, 9)), 'text encoding 9'],
  ])('with %s is refused in words', async (_, bytes, words) => {
    await expect(open({ main: bytes() })).rejects.toThrow(words);
  });

  it('that says it has four billion pages takes no memory for them', async () => {
    const main = spoilt((_, view) => view.setUint32(28, 0xffffffff));
    expect(await codes(main)).toContain('file_truncated');
  });

  it('cut anywhere is read as far as it goes', async () => {
    const whole = (await rowsOf({ main: good })).rows.length;
    for (let length = 1024; length < good.length; length += 30_001) {
      const { rows, findings } = await rowsOf({ main: good.slice(0, length) });
      expect(rows.length).toBeLessThan(whole);
      expect(findings.map(({ code }) => code)).toContain('file_truncated');
    }
  });

  it('whose tree leads back to its root ends', async () => {
    const [root] = pages(5);
    const main = spoilt((_, view) => view.setUint32(root + 8, root / 1024 + 1));
    const { findings } = await rowsOf({ main });
    expect(findings.some(({ message }) => message.includes('is part of the table twice'))).toBe(true);
  });

  it('whose rows go round in circles ends', async () => {
    const main = spoilt((bytes, view) => {
      // Every page that is no page of the tree continues a row; each now continues itself.
      for (let at = 1024; at < bytes.length; at += 1024)
        if (bytes[at] === 0) view.setUint32(at, at / 1024 + 1);
    });
    const { rows, findings } = await rowsOf({ main });
    expect(rows.length).toBeLessThan(120);
    expect(findings.map(({ code }) => code)).toContain('page_damaged');
  });

  it('whose cells all point at one row gives that row no more often than the page has room for', async () => {
    const [leaf] = pages(13);
    const main = spoilt((_, view) => {
      view.setUint16(leaf + 3, 400);
      for (let i = 0; i < 400; i++) view.setUint16(leaf + 8 + i * 2, 1000);
    });
    expect((await rowsOf({ main })).rows.length).toBeLessThan(400);
  });

  it('spoilt at random ends in rows, findings or an AssayError', async () => {
    const random = seededRandom(3);
    for (let round = 0; round < 150; round++) {
      const main = spoilt((bytes) => {
        const head = random.integer(0, 1) === 0 ? 2048 : bytes.length;
        for (let i = random.integer(1, 12); i > 0; i--)
          bytes[random.integer(0, head - 1)] = random.integer(0, 255);
      });
      try {
        await rowsOf({ main });
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(AssayError);
      }
    }
  });
});
