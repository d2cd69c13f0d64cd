/** Databases as SQLite itself leaves them on the disk, for tests of programs that read them. */
export { type StoredDatabase, storedDatabase } from './stored-database.ts';
