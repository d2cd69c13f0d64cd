import { AssayError } from '#core';
import type { Run, RunProgress } from '#core/api';
import type { Kind } from '#core/episode';
import type { JobRow, RunRow } from '#store';

/** A run as it is answered, from its row. */
export function runOf(row: RunRow): Run {
  return {
    id: row.id,
    project_id: row.project_id,
    source_id: row.source_id,
    type: row.type,
    base_run_id: row.base_run_id,
    status: row.status,
    stage: row.stage,
    attempt: row.attempt,
    settings: row.settings,
    kind_override: row.kind_override,
    kind: row.kind,
    kinds: kindCounts(row.kinds),
    plan_hash: row.plan_hash,
    episodes: {
      expected: row.episodes_expected,
      measured: row.episodes_measured,
      judged: row.episodes_judged,
      unreadable: row.episodes_unreadable,
    },
    decisions: { accept: row.accepted, review: row.to_review, reject: row.rejected },
    bytes: { expected: row.bytes_expected, measured: row.bytes_measured },
    layers: row.layers.map(({ jobs, config: _, ...layer }) => ({
      ...layer,
      job_id: jobs.at(-1) ?? null,
      compute_s: round(layer.compute_s),
    })),
    compute_s: round(row.layers.reduce((sum, layer) => sum + layer.compute_s, row.compute_s)),
    cost_usd: row.cost_usd,
    error: row.error,
    waiting: row.waiting,
    created_at: row.created_at.toISOString(),
    created_by: row.created_by,
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

function kindCounts(kinds: RunRow['kinds']): Run['kinds'] {
  return Object.entries(kinds)
    .map(([kind, episodes]) => ({ kind: kind as Kind, episodes }))
    .sort((a, b) => b.episodes - a.episodes || (a.kind < b.kind ? -1 : 1));
}

/** How far a stage is, with what is under way and not committed yet. */
export function progressOf(
  row: RunRow,
  underWay: { readonly episodes: number; readonly bytes: number },
  now: Date,
): RunProgress {
  const measuring = row.stage === 'measure';
  const committed = measuring ? row.episodes_measured + row.episodes_unreadable : row.episodes_judged;
  const total = measuring ? row.episodes_expected : row.episodes_measured;
  const done = Math.min(committed + underWay.episodes, Math.max(total, committed));
  const bytes_done = Math.min(row.bytes_measured + (measuring ? underWay.bytes : 0), row.bytes_expected);
  const spent_s = (now.getTime() - (row.stage_started_at ?? now).getTime()) / 1000;
  // Few episodes say little of how far they are; their bytes say more.
  const share = total > 1 || !measuring ? done / total : bytes_done / row.bytes_expected;
  return {
    run_id: row.id,
    stage: row.stage,
    done,
    total,
    bytes_done,
    bytes_total: row.bytes_expected,
    episodes_per_s: spent_s > 0 ? round(Math.max(0, done - row.stage_base) / spent_s) : 0,
    eta_s: share > 0 && share <= 1 && spent_s > 0.3 ? round((spent_s * (1 - share)) / share) : null,
  };
}

/** How far the layers of a run are, by their jobs; those of before it was resumed count too. */
export function annotatingOf(row: RunRow, jobs: readonly JobRow[], now: Date): RunProgress {
  const done = jobs.reduce((sum, job) => sum + job.done + job.failed + job.skipped, 0);
  const total = jobs.reduce((sum, job) => sum + job.total, 0);
  const spent_s = (now.getTime() - (row.stage_started_at ?? now).getTime()) / 1000;
  return {
    run_id: row.id,
    stage: row.stage,
    done,
    total,
    bytes_done: row.bytes_measured,
    bytes_total: row.bytes_expected,
    episodes_per_s: spent_s > 0 ? round(done / spent_s) : 0,
    eta_s: done > 0 && spent_s > 0.3 ? round((spent_s * (total - done)) / done) : null,
  };
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

/** For an absent run and another tenant's alike. */
export const noRun = (): AssayError =>
  new AssayError('not_found', 'there is no run of this id', {
    advice: 'GET /v1/projects/{project_id}/runs lists them',
  });
