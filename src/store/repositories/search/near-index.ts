import { sha256 } from '#core';
import type { Database } from '../../database/database.ts';
import { sql } from '../../drizzle.ts';
import { embeddingCounts as k } from '../../schema/embeddings.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { Likeness } from './candidates.ts';

/** Vectors of one project that can be compared, from which on an index of neighbours is kept and asked. */
export const manyVectors = 200_000;

/** Enough for the graph of a million vectors. */
const build_memory = '1GB';

interface Comparable {
  readonly tenant_id: string;
  readonly project_id: string;
  readonly descriptor: string;
  readonly version: number;
  readonly layout: string;
}

const nameOf = ({ tenant_id, project_id, descriptor, version, layout }: Comparable): string =>
  `embeddings_near_${sha256(JSON.stringify([tenant_id, project_id, descriptor, version, layout])).slice(0, 24)}`;

/** Whether there is an index of neighbours for this, and whole. */
export async function hasNearIndex(
  { sql: database, tenant_id }: TenantScope,
  project_id: string,
  { descriptor, version, layout }: Likeness,
): Promise<boolean> {
  const name = nameOf({ tenant_id, project_id, descriptor, version, layout });
  const { rows } = await database.execute(
    sql`SELECT 1 FROM pg_index WHERE indexrelid = to_regclass(${name}) AND indisvalid`,
  );
  return rows.length > 0;
}

/**
 * Builds the indexes of neighbours that are missing and drops those that nobody needs, one after the other, while runs go on writing; `stop` ends that.
 * Each is of one project's comparable vectors alone: nobody's search walks through another tenant's, and vectors of
 * projects that need none cost nothing to write. Takes minutes for a million. Nothing on the embedded database, which
 * has one session. In no transaction.
 */
export async function buildNearIndexes(
  database: Database,
  stop: AbortSignal,
  many = manyVectors,
): Promise<void> {
  if (database.kind === 'embedded') return;
  const large = await database.sql
    .select({
      tenant_id: k.tenant_id,
      project_id: k.project_id,
      descriptor: k.descriptor,
      version: k.version,
      layout: k.layout,
    })
    .from(k)
    .where(sql`${k.reason} = '' AND ${k.episodes} >= ${many}`);
  await dropOthers(database, new Set(large.map(nameOf)));
  for (const one of large) if (!stop.aborted) await buildIndex(database, one, stop);
}

/** Those of versions that nobody makes any more, and of projects that have become small. */
async function dropOthers(database: Database, wanted: ReadonlySet<string>): Promise<void> {
  const { rows } = await database.query(
    "SELECT relname AS name FROM pg_class WHERE relkind = 'i' AND relname ~ '^embeddings_near_[0-9a-f]{24}$'",
  );
  for (const { name } of rows)
    if (!wanted.has(name)) await database.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}

async function buildIndex(database: Database, of: Comparable, stop: AbortSignal): Promise<void> {
  const name = nameOf(of);
  const found = await database.query(
    `SELECT indisvalid OR EXISTS (SELECT FROM pg_stat_progress_create_index p WHERE p.index_relid = indexrelid) AS good
     FROM pg_index WHERE indexrelid = to_regclass($1)`,
    [name],
  );
  if (found.rows[0]?.good === true) return;
  // What a build that was cut short left behind.
  if (found.rows.length > 0) await database.query(`DROP INDEX CONCURRENTLY ${name}`);
  // A definition takes no parameters, so that the database itself quotes them.
  const { rows } = await database.query(
    `SELECT format('CREATE INDEX CONCURRENTLY %I ON embeddings USING hnsw ((vector::halfvec(%s)) halfvec_ip_ops)
       WHERE tenant_id = %L AND project_id = %L AND descriptor = %L AND version = %s AND layout = %L AND vector IS NOT NULL',
       $1::text, vector_dims(vector), tenant_id, project_id, descriptor, version, layout) AS definition
     FROM embeddings WHERE tenant_id = $2 AND project_id = $3 AND descriptor = $4 AND version = $5 AND layout = $6
       AND vector IS NOT NULL LIMIT 1`,
    [name, of.tenant_id, of.project_id, of.descriptor, of.version, of.layout],
  );
  if (rows.length === 0 || stop.aborted) return;
  const end = () =>
    void database
      .query(
        'SELECT pg_cancel_backend(pid) FROM pg_stat_progress_create_index WHERE index_relid = to_regclass($1)',
        [name],
      )
      .catch(() => {});
  stop.addEventListener('abort', end, { once: true });
  try {
    // A graph that does not fit into memory is built ten times as slowly; threads would need as much shared memory.
    await database.inSession([
      `SET maintenance_work_mem = '${build_memory}'`,
      'SET max_parallel_maintenance_workers = 0',
      rows[0].definition,
    ]);
  } finally {
    stop.removeEventListener('abort', end);
  }
}
