import type { AnnotationJob, JobLayerId } from '#core/api';
import { asksEndpoint, jobOf, openJob, queueJob, tellJob } from '#engine';
import { jobRows, type Store } from '#store';
import { framesTo } from '../annotation/frames-to.ts';
import { actorId, appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { demandLane } from './demand-lane.ts';
import { demandWork } from './demand-work.ts';

export interface EnqueueJob {
  readonly project_id: string;
  readonly layer: JobLayerId;
  readonly episode_ids?: readonly string[] | undefined;
  readonly force: boolean;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

/** A job, and whether it was there before. */
export interface Enqueued {
  readonly job: AnnotationJob;
  readonly is_new: boolean;
}

/**
 * Queues a layer for the episodes of a project that need it, or gives the job that is queued or under way for it. What
 * it is estimated to cost is reserved in the same transaction. Throws as `demandLane` and `demandWork`, and
 * `budget_exceeded`.
 */
export async function enqueueJob(store: Store, call: Call, input: EnqueueJob): Promise<Enqueued> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  const plan = await demandLane(store, scope, input);
  const episode_ids = input.episode_ids === undefined ? null : [...new Set(input.episode_ids)];
  const wishes = { origin: 'queue', run_id: null, force: input.force, now: call.now, episode_ids } as const;
  return store.database.transaction(async () => {
    const opened = await openJob(store, scope, plan, { ...wishes, created_by: actorId(call) });
    if (opened === null) {
      const twin = await jobRows.findOpenJob(scope, input.project_id, plan.row.id);
      // Ended between the two statements.
      if (twin === null) return enqueueJob(store, call, input);
      return { job: await jobOf(store.database, twin), is_new: false };
    }
    await demandWork(store, scope, plan, opened, episode_ids);
    const row = await queueJob(store, scope, plan, opened, call.now);
    const job = await tellJob(store, row);
    await appendAudit(store, call, {
      action: 'enqueue_job',
      object_type: 'job',
      object_id: row.id,
      before: null,
      after: { id: row.id, layer: row.layer, episodes: row.total, estimate_usd: row.estimate_usd },
      detail: {
        ...{ project_id: row.project_id, layer: row.layer, force: row.force },
        ...framesTo(store, asksEndpoint(row.model)),
      },
    });
    return { job, is_new: true };
  });
}
