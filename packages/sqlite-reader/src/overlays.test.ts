import { describe, expect, it } from 'vitest';
import { fillRows, rowsOf } from '../testing/rows.ts';
import { type StoredDatabase, storedDatabase } from '../testing/stored-database.ts';

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
