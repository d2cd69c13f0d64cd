import { AssayError } from '#core';
import type { AnnotationJob, AnnotationJobProgress } from '#core/api';
import { type Database, type JobRow, jobItemRows } from '#store';
import { usd } from '../../budget/money.ts';
import { hasEnded } from './job-ref.ts';
import { deviceCosts, measuredUsd } from './settle-job.ts';

/** Failures that are told of each job. */
const mostFailures = 20;

/** Jobs as they are answered, from their rows. */
export async function jobsOf(database: Database, rows: readonly JobRow[]): Promise<AnnotationJob[]> {
  const failed = rows.filter(({ failed }) => failed > 0);
  const [{ tenant_id } = { tenant_id: '' }] = failed;
  const ids = failed.map(({ id }) => id);
  const failures =
    ids.length === 0 ? [] : await jobItemRows.listFailures(database, tenant_id, ids, mostFailures);
  const now = new Date();
  return rows.map((row) => ({
    ...jobFacts(row, now),
    failures: failures
      .filter(({ job_id }) => job_id === row.id)
      .map(({ episode_id, error }) => ({ episode_id, error })),
  }));
}

/** One job as it is answered. */
export async function jobOf(database: Database, row: JobRow): Promise<AnnotationJob> {
  return (await jobsOf(database, [row]))[0];
}

function jobFacts(row: JobRow, now: Date): Omit<AnnotationJob, 'failures'> {
  const { total, done, failed, skipped } = row;
  return {
    id: row.id,
    project_id: row.project_id,
    layer: row.layer,
    status: row.status,
    origin: row.origin,
    run_id: row.run_id,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    episodes: { total, done, failed, skipped },
    config: row.config as AnnotationJob['config'],
    model: row.model,
    force: row.force,
    estimate_usd: row.estimate_usd,
    reserved_usd: row.reserved_usd,
    measured_usd: usd(measuredUsd(row)),
    prompt_tokens: row.prompt_tokens,
    completion_tokens: row.completion_tokens,
    compute_s: Math.round(row.compute_s * 1e6) / 1e6,
    devices: deviceCosts(row),
    device_note: row.device_note,
    narrowed_from: row.narrowed_from,
    attempts: row.attempts,
    error: row.error,
    waiting: row.waiting,
    eta_s: etaOf(row, now),
  };
}

/** Seconds until its end, by how fast it has been so far; null where that cannot be told. */
function etaOf({ status, total, done, failed, skipped, started_at }: JobRow, now: Date): number | null {
  if (hasEnded(status) || status === 'cancelling') return null;
  const finished = done + failed;
  const spent_s = (now.getTime() - (started_at ?? now).getTime()) / 1000;
  if (finished === 0 || spent_s < 0.3) return null;
  return Math.round((spent_s / finished) * (total - finished - skipped) * 1000) / 1000;
}

/** How far a job is. */
export function progressOf(row: JobRow, episode_id: string | null, now: Date): AnnotationJobProgress {
  return {
    job_id: row.id,
    done: row.done + row.failed,
    total: row.total,
    episode_id,
    eta_s: etaOf(row, now),
  };
}

/** For an absent job, another project's and another tenant's alike. */
export const noJob = (): AssayError =>
  new AssayError('not_found', 'there is no job of this id in the project', {
    advice: 'GET /v1/projects/{project_id}/annotation/jobs lists them',
  });
