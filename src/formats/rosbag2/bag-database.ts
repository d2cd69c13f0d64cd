import {
  Database,
  type DatabaseFiles,
  type SeenBytes,
  type SqliteError,
  type SqliteErrorKind,
} from '@assay/sqlite-reader';
import { AssayError, type ErrorCode } from '#core';
import { FindingList } from '../shared/finding-lists.ts';

/** An SQLite file of rosbag2; its faults are collected as findings. */
export type BagDatabase = Database<FindingList>;

/** Scan over the rows of one table. */
export type BagTableScan = ReturnType<BagDatabase['scan']>;

/** Error code for each kind of SQLite error. */
const errorCodes: Readonly<Record<SqliteErrorKind, ErrorCode>> = {
  damaged: 'unreadable_input',
  no_table: 'unreadable_input',
  not_run: 'unsupported_version',
  unsupported_table: 'unsupported_version',
};

/** Opens the SQLite database in files that the caller closes; throws an AssayError if it cannot be read at all. */
export function openDatabase(files: DatabaseFiles, seen: SeenBytes | null = null): Promise<BagDatabase> {
  return Database.open(files, { problems: new FindingList(files.path), seen, toError });
}

function toError({ kind, message, path, advice }: SqliteError): AssayError {
  return new AssayError(errorCodes[kind], message, {
    ...(path === null ? {} : { path }),
    ...(advice === null
      ? {}
      : { advice: errorCodes[kind] === 'unsupported_version' ? `${advice} (ros2 bag convert)` : advice }),
  });
}
