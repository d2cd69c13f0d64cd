import type { Database } from './database.ts';

/**
 * What the planner could not guess, taking every column for independent of every other: that a project belongs to one
 * tenant, and that the episodes of a source are much alike.
 */
const statistics = {
  episodes_tenancy: '(dependencies) ON tenant_id, project_id FROM episodes',
  episodes_origins: '(mcv) ON source_id, run_id, stream_kind, robot_key FROM episodes',
};

/**
 * Declares them. Not part of a migration: those are written from the schema, which has no word for statistics. What is
 * there already is left alone: creating it would wait for whoever vacuums.
 */
export async function describeStatistics(database: Database): Promise<void> {
  const { rows } = await database.query('SELECT stxname FROM pg_statistic_ext');
  const there = new Set(rows.map(({ stxname }) => stxname));
  for (const [name, on] of Object.entries(statistics))
    if (!there.has(name)) await database.query(`CREATE STATISTICS ${name} ${on}`);
  // A server has time to look at more rows, and more sources to know.
  if (database.kind === 'server' && !there.has('episodes_origins'))
    await database.query('ALTER STATISTICS episodes_origins SET STATISTICS 400');
}

const tables = 'episodes, receipts, embeddings, embedding_moments, curation_samples';

/**
 * To be called when many episodes were written, outside of a transaction: lists of them are planned by statistics, and
 * read from indexes alone once pages are known to be settled. A server does the latter by itself, the embedded database
 * does neither.
 */
export async function refreshStatistics(database: Database): Promise<void> {
  await database.query(database.kind === 'embedded' ? `VACUUM (ANALYZE) ${tables}` : `ANALYZE ${tables}`);
}
