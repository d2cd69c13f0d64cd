import type { TenantScope } from '../../database/database.ts';
import { eq, sql as raw } from '../../drizzle.ts';
import { jobs } from '../../schema/jobs.ts';
import type { JobRow } from './jobs.ts';

/** Identifies annotation work on one episode. */
export interface EpisodeWork {
  readonly project_id: string;
  readonly episode_id: string;
  readonly layer: JobRow['layer'];
  /** Hash of layer settings, model and lane version. */
  readonly config_hash: string;
}

/**
 * Returns the unfinished single-episode job with the same work; null if there is none. Other requests for the layer and
 * episode wait until the transaction ends; must be called before anything else is locked.
 */
export async function lockEpisodeJob(
  { sql, tenant_id }: TenantScope,
  { project_id, episode_id, layer, config_hash }: EpisodeWork,
): Promise<JobRow | null> {
  await sql.execute(
    raw`SELECT pg_advisory_xact_lock(hashtextextended(${`annotate ${episode_id} ${layer}`}, 0))`,
  );
  const [row] = await sql
    .select()
    .from(jobs)
    .where(
      raw`${eq(jobs.tenant_id, tenant_id)} AND ${eq(jobs.project_id, project_id)} AND ${eq(jobs.layer, layer)}
        AND ${jobs.origin} = 'episode' AND ${jobs.status} IN ('queued', 'running') AND ${eq(jobs.config_hash, config_hash)}
        AND EXISTS (SELECT 1 FROM job_items i WHERE i.tenant_id = ${tenant_id} AND i.job_id = ${jobs.id}
          AND i.place = 0 AND i.episode_id = ${episode_id})`,
    )
    .limit(1);
  return row ?? null;
}
