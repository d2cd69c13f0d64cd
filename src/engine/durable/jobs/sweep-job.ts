import { annotationRows, jobRows, sweepOrphans } from '#store';
import type { Engine } from '../engine.ts';
import { straggling_s } from '../straggling.ts';
import { artifactPrefix, layerPrefix } from './artifact-prefix.ts';
import { hasEnded, type JobRef } from './job-ref.ts';

/**
 * After a job has ended: deletes artifacts of its layer that no annotation names any more, replaced by this job or left
 * by workers that were cut off. A job of one episode looks at its own artifacts only; what it replaced goes with the
 * next larger job of the layer.
 */
export async function sweepStep(engine: Engine, ref: JobRef): Promise<void> {
  const { database, blobs } = engine.store;
  const { tenant_id } = ref;
  const job = await jobRows.getJob({ sql: database.sql, tenant_id }, ref.job_id);
  if (job === null || !hasEnded(job.status)) return;
  await sweepOrphans(blobs, {
    prefix: `${job.origin === 'episode' ? artifactPrefix(job) : layerPrefix(job)}/`,
    written_before: new Date(Date.now() - (straggling_s / 2) * 1000),
    known: (keys) => annotationRows.namedArtifacts(database, tenant_id, keys),
  });
}
