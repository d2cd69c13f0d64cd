import { fileURLToPath } from 'node:url';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import type { Database } from './database.ts';

const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url));
/** Advisory lock id, used by nothing but `lockMigrations`. */
const migrationLock = 7_210_001;

/**
 * Waits until no other process migrates the tables or the queue, and keeps others waiting until the transaction ends. Must run
 * in a transaction.
 */
export async function lockMigrations(database: Database): Promise<void> {
  await database.query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
}

/**
 * Applies all pending migrations in one transaction, and creates triggers and statistics that migrations cannot
 * express.
 */
export async function migrate(database: Database): Promise<void> {
  await database.transaction(async () => {
    await lockMigrations(database);
    await applyMigrations(database.sql as unknown as Parameters<typeof applyMigrations>[0], {
      migrationsFolder,
    });
    await protectAudit(database);
    await createStatistics(database);
  });
}

const auditTriggers = [
  { name: 'audit_entries_append_only', table: 'audit_entries', events: 'UPDATE OR DELETE OR TRUNCATE' },
  { name: 'audit_heads_stay', table: 'audit_heads', events: 'DELETE OR TRUNCATE' },
] as const;

const refuseFunctionSql = `
  CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'the audit log is append-only: % on % is refused', TG_OP, TG_TABLE_NAME
      USING ERRCODE = 'insufficient_privilege';
  END $$`;

/**
 * Creates triggers that reject changes and deletions in the audit log. They are not part of a migration, because
 * migrations are generated from the schema, which cannot express triggers. Existing triggers are left alone, so that a
 * start does not wait for writers.
 */
async function protectAudit(database: Database): Promise<void> {
  const { rows } = await database.query(
    "SELECT tgname FROM pg_trigger WHERE tgrelid IN ('audit_entries'::regclass, 'audit_heads'::regclass)",
  );
  const existing = new Set(rows.map(({ tgname }) => tgname));
  if (auditTriggers.every(({ name }) => existing.has(name))) return;
  await database.query(refuseFunctionSql);
  for (const { name, table, events } of auditTriggers) {
    if (existing.has(name)) continue;
    await database.query(
      `CREATE TRIGGER ${name} BEFORE ${events} ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
    );
  }
}

/**
 * Extended statistics that tell the planner about dependent columns: a project belongs to one tenant, and the episodes
 * of a source are similar.
 */
const extendedStatistics = {
  episodes_tenancy: '(dependencies) ON tenant_id, project_id FROM episodes',
  episodes_origins: '(mcv) ON source_id, run_id, stream_kind, robot_key FROM episodes',
};

/**
 * Creates extended statistics. They are not part of a migration, because migrations are generated from the schema,
 * which cannot express them. Existing ones are left alone, because creating them would wait for a running VACUUM.
 */
async function createStatistics(database: Database): Promise<void> {
  const { rows } = await database.query('SELECT stxname FROM pg_statistic_ext');
  const existing = new Set(rows.map(({ stxname }) => stxname));
  for (const [name, on] of Object.entries(extendedStatistics))
    if (!existing.has(name)) await database.query(`CREATE STATISTICS ${name} ${on}`);
  // A server can sample more rows and has more sources.
  if (database.kind === 'server' && !existing.has('episodes_origins'))
    await database.query('ALTER STATISTICS episodes_origins SET STATISTICS 400');
}

const analyzedTables = 'episodes, receipts, embeddings, embedding_moments, curation_samples, text_vectors';

/**
 * Updates planner statistics of the tables of episodes; called outside of a transaction after many episodes were written.
 * Lists of episodes are planned by statistics, and read from indexes alone once pages are marked all-visible. A server does
 * the latter itself; the embedded database needs both.
 */
export async function refreshStatistics(database: Database): Promise<void> {
  await database.query(
    database.kind === 'embedded' ? `VACUUM (ANALYZE) ${analyzedTables}` : `ANALYZE ${analyzedTables}`,
  );
}
