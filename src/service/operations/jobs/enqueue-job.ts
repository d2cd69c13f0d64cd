import type { AnnotationJob, JobLayerId } from '#core/api';
import { openJob, publishJob, queueJob, toJob, usesVisionEndpoint } from '#engine';
import { jobRows, type Store } from '#store';
import { describeFrameRecipient } from '../annotation/vision-endpoint.ts';
import { actorId, appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { dryRun } from '../dry-run.ts';
import { requireRunnableLane, requireWork } from './job-checks.ts';

/** A layer to queue for a project or for some of its episodes. */
export interface JobInput {
  readonly project_id: string;
  readonly layer: JobLayerId;
  readonly episode_ids?: readonly string[] | undefined;
  readonly force: boolean;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

/** A job, and whether this request created it. */
export interface EnqueueResult {
  readonly job: AnnotationJob;
  readonly is_new: boolean;
}

/**
 * Queues a layer for the episodes of a project that need it and returns the new job, or returns the layer's open job. The
 * estimated cost is reserved in the same transaction. Throws as `requireRunnableLane` and `requireWork`, and
 * `budget_exceeded`.
 */
export async function enqueueJob(store: Store, call: Call, input: JobInput): Promise<EnqueueResult> {
  requireRole(call, 'engineer');
  return enqueue(store, call, input);
}

async function enqueue(store: Store, call: Call, input: JobInput): Promise<EnqueueResult> {
  const scope = scopeOf(store, call);
  const plan = await requireRunnableLane(store, scope, input);
  const episode_ids = input.episode_ids === undefined ? null : [...new Set(input.episode_ids)];
  const wishes = { origin: 'queue', run_id: null, force: input.force, now: call.now, episode_ids } as const;
  return store.database.transaction(async () => {
    const opened = await openJob(store, scope, plan, { ...wishes, created_by: actorId(call) });
    if (opened === null) {
      const existing = await jobRows.findOpenJob(scope, input.project_id, plan.row.id);
      // The other job ended between the two statements, so try again.
      if (existing === null) return enqueue(store, call, input);
      return { job: await toJob(store.database, existing), is_new: false };
    }
    await requireWork(store, scope, plan, opened, episode_ids);
    const row = await queueJob(store, scope, plan, opened, call.now);
    const job = await publishJob(store, row);
    await appendAudit(store, call, {
      action: 'enqueue_job',
      object_type: 'job',
      object_id: row.id,
      before: null,
      after: { id: row.id, layer: row.layer, episodes: row.total, estimate_usd: row.estimate_usd },
      detail: {
        ...{ project_id: row.project_id, layer: row.layer, force: row.force },
        ...describeFrameRecipient(store, usesVisionEndpoint(row.model)),
      },
    });
    return { job, is_new: true };
  });
}

/** Returns the job as it would be queued, with its cost estimate, without storing it. Throws as `enqueueJob`. */
export async function previewJob(store: Store, call: Call, input: JobInput): Promise<EnqueueResult> {
  requireRole(call, 'viewer');
  return dryRun(store, () => enqueue(store, call, input));
}
