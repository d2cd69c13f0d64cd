/** Reads tables of SQLite files over byte ranges and runs nothing of them; the README of the package shows its use. */
export { columnsOf, type TableColumns } from './create-table.ts';
export { Database, type DatabaseFiles, type OpenOptions, type SizedFile, type ToError } from './database.ts';
export { SqliteError, type SqliteErrorKind } from './errors.ts';
export { isSqlite } from './file-header.ts';
export type { SeenBytes } from './page-store.ts';
export { ProblemList, type Problems, type SqliteProblem } from './problems.ts';
export type { RecordView } from './record.ts';
export { type ByteRanges, bytesInMemory } from './source.ts';
export type { TableScan } from './table-scan.ts';
