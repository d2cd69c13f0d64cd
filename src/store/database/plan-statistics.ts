import type { Database } from './database.ts';

/**
 * Tells the planner what it could not guess: that a project belongs to one tenant. Without it, it takes a project's
 * share of the episodes for the product of both shares, and plans for a hundredth of the rows. Not part of a migration:
 * those are written from the schema, which has no word for statistics.
 */
export async function describeStatistics(database: Database): Promise<void> {
  const { rows } = await database.query("SELECT 1 FROM pg_statistic_ext WHERE stxname = 'episodes_tenancy'");
  // Left alone where it is there: creating it would wait for whoever vacuums.
  if (rows.length > 0) return;
  await database.query(
    'CREATE STATISTICS episodes_tenancy (dependencies) ON tenant_id, project_id FROM episodes',
  );
}

const tables = 'episodes, receipts';

/**
 * To be called when many episodes were written, outside of a transaction: lists of them are planned by statistics, and
 * read from indexes alone once pages are known to be settled. A server does the latter by itself, the embedded database
 * does neither.
 */
export async function refreshStatistics(database: Database): Promise<void> {
  await database.query(database.kind === 'embedded' ? `VACUUM (ANALYZE) ${tables}` : `ANALYZE ${tables}`);
}
