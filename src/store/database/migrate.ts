import { fileURLToPath } from 'node:url';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import type { Database } from './database.ts';
import { describeStatistics } from './plan-statistics.ts';
import { protectAudit } from './protect-audit.ts';

const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url));
/** Any number that nobody else locks: processes that start at once migrate one after the other. */
const migrationLock = 7_210_001;

/** Brings the schema up to date, whole or not at all. */
export async function migrate(database: Database): Promise<void> {
  await database.transaction(async () => {
    await database.query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
    await applyMigrations(database.sql as unknown as Parameters<typeof applyMigrations>[0], {
      migrationsFolder,
    });
    await protectAudit(database);
    await describeStatistics(database);
  });
}
