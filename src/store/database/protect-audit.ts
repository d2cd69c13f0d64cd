import type { Database } from './database.ts';

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
export async function protectAudit(database: Database): Promise<void> {
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
