import type { Database } from './database.ts';

/** Any number that nobody else locks. */
const migrationLock = 7_210_001;

/** Runs `work` in a transaction that one process at a time is in: those that start at once go one after the other. */
export async function underMigrationLock(database: Database, work: () => Promise<void>): Promise<void> {
  await database.transaction(async () => {
    await database.query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
    await work();
  });
}
