import { annotationRows, jobRows, sweepOrphans } from '#store';
import type { Engine } from '../../engine.ts';
import { layerPrefix } from '../../jobs/artifact-prefix.ts';
import type { RunRef } from '../run-ref.ts';

/**
 * Deletes artifacts of the run's layers that were written before and that no annotation names: replaced by the run, or left
 * by workers that were cut off. Those of jobs that have not ended may be named yet.
 */
export async function sweepLayers(
  engine: Engine,
  { tenant_id, run_id }: RunRef,
  written_before: Date,
): Promise<void> {
  const { database, blobs } = engine.store;
  const scope = { sql: database.sql, tenant_id };
  const jobs = await jobRows.listJobsOfRun(scope, run_id);
  const prefixes = new Set(jobs.map((job) => `${layerPrefix(job)}/`));
  for (const prefix of prefixes) {
    await sweepOrphans(blobs, {
      prefix,
      written_before,
      known: async (keys) => {
        const ids = new Map(keys.map((key) => [key, key.slice(prefix.length).split('/')[0]]));
        const ended = await jobRows.endedJobs(scope, [...new Set(ids.values())]);
        const named = await annotationRows.namedArtifacts(database, tenant_id, keys);
        return new Set(keys.filter((key) => named.has(key) || !ended.has(ids.get(key)!)));
      },
    });
  }
}
