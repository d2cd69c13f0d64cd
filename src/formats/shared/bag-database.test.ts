import { bytesInMemory } from '@assay/sqlite-reader';
import { storedDatabase } from '@assay/sqlite-reader/testing';
import { expect, it } from 'vitest';
import { AssayError } from '#core';
import { openDatabase } from '../rosbag2/bag-database.ts';

const opened = (bytes: Uint8Array) =>
  openDatabase({
    ...{ path: 'x.db3', wal: null, journal: null },
    main: { file: bytesInMemory(bytes), bytes: bytes.length },
  });

const bytesOf = (sql: string) => storedDatabase((database) => database.exec(sql)).main;

it('says of a file that is no database what to do', async () => {
  await expect(opened(new Uint8Array(0))).rejects.toEqual(
    new AssayError('unreadable_input', 'cannot read x.db3: not an SQLite database: empty header', {
      path: 'x.db3',
      advice: 'copy or download the file again, or repair it (sqlite3 FILE .recover)',
    }),
  );
});

it.each([
  ['CREATE TABLE u (n)', 'unreadable_input', 'no table t in x.db3', 'x.db3', null],
  [
    'CREATE VIEW t AS SELECT 1 AS n',
    'unsupported_version',
    't is a view, which is not supported',
    'x.db3',
    'write the rows to an ordinary table (ros2 bag convert)',
  ],
  [
    'CREATE TABLE t (n INTEGER PRIMARY KEY) WITHOUT ROWID',
    'unsupported_version',
    'cannot read table t: it is a WITHOUT ROWID table',
    null,
    'write the rows to an ordinary table (ros2 bag convert)',
  ],
])('%s: is refused as %s', async (sql, code, message, path, advice) => {
  const database = await opened(bytesOf(sql));
  for (const read of [() => database.scan('t', ['n']), () => database.columns('t')]) {
    expect(read).toThrow(AssayError);
    expect(read).toThrow(expect.objectContaining({ code, message, path, advice }));
  }
});
