import { fileURLToPath } from 'node:url';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import type { Database } from './database.ts';
import { describeStatistics } from './plan-statistics.ts';

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

const triggers = [
  { name: 'audit_entries_append_only', table: 'audit_entries', events: 'UPDATE OR DELETE OR TRUNCATE' },
  { name: 'audit_heads_stay', table: 'audit_heads', events: 'DELETE OR TRUNCATE' },
] as const;

const refusal = `
  CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'the audit log only grows: % on % is refused', TG_OP, TG_TABLE_NAME
      USING ERRCODE = 'insufficient_privilege';
  END $$`;

/**
 * Has the database refuse to change or remove rows of the audit log. Not part of a migration: those are written from
 * the schema, which has no word for triggers. What is there already is left alone, so that no start waits for writers.
 */
async function protectAudit(database: Database): Promise<void> {
  const { rows } = await database.query(
    "SELECT tgname FROM pg_trigger WHERE tgrelid IN ('audit_entries'::regclass, 'audit_heads'::regclass)",
  );
  const there = new Set(rows.map(({ tgname }) => tgname));
  if (triggers.every(({ name }) => there.has(name))) return;
  await database.query(refusal);
  for (const { name, table, events } of triggers) {
    if (there.has(name)) continue;
    await database.query(
      `CREATE TRIGGER ${name} BEFORE ${events} ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
    );
  }
}
