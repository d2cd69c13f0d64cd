import {
  Database,
  type DatabaseFiles,
  type SeenBytes,
  type SqliteError,
  type SqliteErrorKind,
} from '@assay/sqlite-reader';
import { AssayError, type ErrorCode } from '#core';
import { FindingList } from '../shared/finding-list.ts';

/** An SQLite file as rosbag2 writes them; what it gets wrong goes into a list of findings. */
export type BagDatabase = Database<FindingList>;

/** Rows of one table of it. */
export type BagTableScan = ReturnType<BagDatabase['scan']>;

const codes: Readonly<Record<SqliteErrorKind, ErrorCode>> = {
  damaged: 'unreadable_input',
  no_table: 'unreadable_input',
  not_run: 'unsupported_version',
  unsupported_table: 'unsupported_version',
};

/** Opens the database in files that the caller closes; throws what keeps it from being read at all. */
export function openDatabase(files: DatabaseFiles, seen: SeenBytes | null = null): Promise<BagDatabase> {
  return Database.open(files, { problems: new FindingList(files.path), seen, toError });
}

function toError({ kind, message, path, advice }: SqliteError): AssayError {
  return new AssayError(codes[kind], message, {
    ...(path === null ? {} : { path }),
    ...(advice === null
      ? {}
      : { advice: codes[kind] === 'unsupported_version' ? `${advice} (ros2 bag convert)` : advice }),
  });
}
