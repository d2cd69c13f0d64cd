import { sha256 } from '#core';
import type { Database, TenantScope } from '../../database/database.ts';
import { sql } from '../../drizzle.ts';
import { embeddingCounts as k } from '../../schema/embeddings.ts';
import type { SimilarityRanking } from './candidates.ts';

/** Number of comparable vectors of a project from which an approximate (HNSW) index is built and used. */
export const minIndexedVectors = 200_000;

/** Memory for the graph of a million vectors. */
const buildMemory = '1GB';

interface VectorGroup {
  readonly tenant_id: string;
  readonly project_id: string;
  readonly descriptor: string;
  readonly version: number;
  readonly layout: string;
}

const indexName = ({ tenant_id, project_id, descriptor, version, layout }: VectorGroup): string =>
  `embeddings_near_${sha256(JSON.stringify([tenant_id, project_id, descriptor, version, layout])).slice(0, 24)}`;

/** Returns true if there is a complete HNSW index for the vectors that a similarity search compares. */
export async function hasNearIndex(
  { sql: database, tenant_id }: TenantScope,
  project_id: string,
  { descriptor, version, layout }: SimilarityRanking,
): Promise<boolean> {
  const name = indexName({ tenant_id, project_id, descriptor, version, layout });
  const { rows } = await database.execute(
    sql`SELECT 1 FROM pg_index WHERE indexrelid = to_regclass(${name}) AND indisvalid`,
  );
  return rows.length > 0;
}

/**
 * Builds missing HNSW indexes and drops unused ones, one by one, while runs continue to write; `stop` aborts it. Each
 * index contains the comparable vectors of one project only, so that searches never traverse vectors of other tenants,
 * and small projects have no indexing cost. Takes minutes for a million vectors. Does nothing on the embedded database,
 * which has a single session. Must not run in a transaction.
 */
export async function buildNearIndexes(
  database: Database,
  stop: AbortSignal,
  many = minIndexedVectors,
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
  await dropUnusedIndexes(database, new Set(large.map(indexName)));
  for (const one of large) if (!stop.aborted) await buildIndex(database, one, stop);
}

/** Drops indexes of outdated descriptor versions and of projects that became small. */
async function dropUnusedIndexes(database: Database, needed: ReadonlySet<string>): Promise<void> {
  const { rows } = await database.query(
    "SELECT relname AS name FROM pg_class WHERE relkind = 'i' AND relname ~ '^embeddings_near_[0-9a-f]{24}$'",
  );
  for (const { name } of rows)
    if (!needed.has(name)) await database.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}

async function buildIndex(database: Database, of: VectorGroup, stop: AbortSignal): Promise<void> {
  const name = indexName(of);
  const found = await database.query(
    `SELECT indisvalid OR EXISTS (SELECT FROM pg_stat_progress_create_index p WHERE p.index_relid = indexrelid) AS good
     FROM pg_index WHERE indexrelid = to_regclass($1)`,
    [name],
  );
  if (found.rows[0]?.good === true) return;
  // Left over from an interrupted build.
  if (found.rows.length > 0) await database.query(`DROP INDEX CONCURRENTLY ${name}`);
  // Index definitions take no parameters, so the database quotes the values.
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
    // A graph that does not fit into memory takes ten times as long to build; parallel workers would need as much
    // shared memory.
    await database.inSession([
      `SET maintenance_work_mem = '${buildMemory}'`,
      'SET max_parallel_maintenance_workers = 0',
      rows[0].definition,
    ]);
  } finally {
    stop.removeEventListener('abort', end);
  }
}
