import { AssayError, significant } from '#core';
import type {
  Ablation,
  AblationInput,
  Component,
  CurationReport,
  DistributionGap,
  Probe,
  ProbeInput,
  Utility,
} from '#core/api';
import { findGaps, recommendPlan } from '#quality/curation';
import { createViews } from '#quality/readiness';
import { targetProfile } from '#quality/use-cases';
import {
  curationRows,
  projectRows,
  type Store,
  type TargetTotals,
  type TenantScope,
  targetRows,
} from '#store';
import { type Call, requireRole, scopeOf } from './call.ts';
import { computePlan } from './curation/compute-plan.ts';
import { type LoadedEpisodes, loadEpisodes } from './curation/load-episodes.ts';
import { noPlan } from './curation/plans.ts';
import { readReceipt } from './episodes/load-episode.ts';
import { frameService } from './episodes/media/frame-service.ts';
import { noProject } from './projects/views.ts';
import { getTargetReadiness } from './readiness/get-target-readiness.ts';

/** Receipts that the means are taken over; each takes some kilobytes. */
const maxReceipts = 100;

/**
 * Returns the mean integrity and semantic scores of the receipts and the signals of the target. Nothing is measured
 * again, and utility has no score. Throws `not_found`.
 */
export async function getUtility(
  store: Store,
  call: Call,
  { project_id }: { readonly project_id: string },
): Promise<Utility> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const project = await projectRows.getProject(scope, project_id);
  if (project === null) throw noProject();
  const totals = await targetRows.getTargetTotals(scope, project_id);
  const sampled = await targetRows.sampleUsable(scope, project_id, maxReceipts);
  const views = [];
  for (const episode of sampled) views.push(createViews(await readReceipt(store, episode)));
  const { requirements } = await getTargetReadiness(store, call, { project_id });
  return {
    project_id,
    target_profile: targetProfile(project.target_profile).id,
    integrity: meanView(views.map(({ integrity }) => integrity)),
    semantic: { ...meanView(views.map(({ semantic }) => semantic)), proxy_metrics: proxyMetrics(totals) },
    utility: { signals: requirements.map((signal) => ({ ...signal })), limits: [...compositionLimits] },
    sample: { episodes: sampled.length, of: totals.usable },
  };
}

interface View {
  readonly score: number | null;
  readonly checks: readonly Component[];
}

function meanView(views: readonly View[]): Utility['integrity'] {
  const byCheck = new Map<string, Component[]>();
  for (const check of views.flatMap(({ checks }) => checks))
    if (!byCheck.get(check.id)?.push(check)) byCheck.set(check.id, [check]);
  const checks = [...byCheck].map(([id, all]) => {
    const count = (status: Component['status']): number =>
      all.filter((check) => check.status === status).length;
    return {
      id,
      scored: count('scored'),
      inapplicable: count('inapplicable'),
      not_assessable: count('not_assessable'),
      disabled: count('disabled'),
      mean_score: mean(all.flatMap((check) => (check.status === 'scored' ? [check.score] : []))),
    };
  });
  return { score: mean(views.flatMap(({ score }) => score ?? [])), checks };
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : significant(values.reduce((sum, value) => sum + value, 0) / values.length);

/** Returns proxy metrics for what is not measured: whether instructions fit what happened. */
function proxyMetrics({ usable, instructed, tasks, with_outcome }: TargetTotals) {
  const share = (count: number): Utility['semantic']['proxy_metrics'][number]['result'] =>
    usable === 0
      ? { status: 'not_assessable', reason: 'no episodes that were not rejected' }
      : { status: 'measured', value: significant(count / usable) };
  return [
    {
      id: 'instructed_share',
      about: 'share of episodes with a task instruction',
      result: share(instructed),
    },
    {
      id: 'outcome_share',
      about: 'share of episodes with an outcome label',
      result: share(with_outcome),
    },
    {
      id: 'distinct_instructions',
      about: 'distinct instructions per 100 episodes',
      result:
        usable === 0
          ? share(0)
          : ({ status: 'measured', value: significant((100 * tasks) / usable) } as const),
    },
  ];
}

/** Limits that each of these answers states. */
const compositionLimits: readonly string[] = [
  'These are counts of what the data contains. No policy was trained; they do not predict training results.',
];

/**
 * Returns the parts of the data distribution with too few episodes, largest gap first, and those with enough. Throws
 * `not_found`, `limit_exceeded`.
 */
export async function getDistributionGap(
  store: Store,
  call: Call,
  {
    project_id,
    least_episodes,
  }: { readonly project_id: string; readonly least_episodes?: number | undefined },
): Promise<DistributionGap> {
  requireRole(call, 'viewer');
  const { episodes } = await loadEpisodes(scopeOf(store, call), project_id);
  const { gaps, covered, not_assessable, ...rest } = findGaps(episodes, least_episodes ?? null);
  return {
    project_id,
    expected:
      least_episodes === undefined
        ? { by: 'own_spread', how: 'the same number of episodes in every part' }
        : { by: 'declared', how: `${least_episodes} episodes in every part` },
    gaps: gaps.map((gap) => ({ ...gap })),
    covered: [...covered],
    not_assessable: [...not_assessable],
    ...rest,
    limits: [...compositionLimits, 'Parts that do not occur in the data at all are not detected.'],
  };
}

/**
 * Returns the composition of all episodes, of the accepted ones and of those that a plan keeps; nothing is trained. Throws
 * `not_found`, `invalid_request`, `limit_exceeded`, `busy`.
 */
export async function runAblation(
  store: Store,
  call: Call,
  { project_id, plan, plan_id }: AblationInput & { readonly project_id: string },
): Promise<Ablation> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const loaded = await loadEpisodes(scope, project_id);
  const chosen = await choosePlan(scope, loaded, { plan, plan_id });
  const filter = { seed: 0, stages: [{ strategy: 'decision', parameters: { keep: ['accept'] } }] };
  const filtered = await computePlan(store, filter, loaded);
  const curated = await computePlan(store, chosen, loaded, '/body/plan');
  return {
    project_id,
    subsets: [
      { id: 'raw', how: 'all episodes', composition: filtered.before },
      { id: 'readiness_filtered', how: 'accepted episodes', composition: filtered.after },
      { id: 'curated', how: describePlan(curated), composition: curated.after },
    ],
    plan_hash: curated.plan_hash,
    probe: {
      status: 'not_run',
      reason: 'comparing counts needs no training',
      advice:
        'train small policies on each subset with POST /v1/projects/{project_id}/probe, or train on an export of each subset and compare on held-out episodes',
    },
    limits: [...compositionLimits],
  };
}

const describePlan = ({ plan }: CurationReport): string =>
  `stages ${plan.stages.map(({ strategy }) => strategy).join(', ')}; seed ${plan.seed}`;

/**
 * Trains small probe policies in a worker thread on all of a project's episodes, on the accepted ones and on those that a plan
 * keeps, and returns how they compare. A folder with the same episodes gives the same result. Throws `not_found`,
 * `invalid_request`, `limit_exceeded`, `busy`.
 */
export async function runProjectProbe(
  store: Store,
  call: Call,
  { project_id, plan, plan_id, seed, folds, window }: ProbeInput & { readonly project_id: string },
): Promise<Probe> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const loaded = await loadEpisodes(scope, project_id);
  const chosen = await choosePlan(scope, loaded, { plan, plan_id });
  const { kept, plan_hash, plan: run } = await computePlan(store, chosen, loaded, '/body/plan');
  const names = new Map([...loaded.ids].map(([name, id]) => [id, name]));
  const stages = run.stages.map(({ strategy }) => strategy).join(', ');
  const recommended = plan === undefined && plan_id === undefined ? 'recommended ' : '';
  const curated = {
    kept: kept.map((id) => names.get(id) ?? id),
    how: `${recommended}plan ${plan_hash.slice(0, 8)}: ${stages}`,
  };
  const options = { seed, folds, window, curated };
  const result = await frameService(store).readers.do({ type: 'probe', episodes: loaded.episodes, options });
  return JSON.parse(JSON.stringify({ project_id, result }));
}

/**
 * Returns the given plan, the applied plan `plan_id`, or else the recommended plan. Throws `invalid_request` if both
 * are given, `not_found`.
 */
async function choosePlan(
  scope: TenantScope,
  { project, episodes }: LoadedEpisodes,
  { plan, plan_id }: AblationInput,
) {
  if (plan !== undefined && plan_id !== undefined)
    throw new AssayError('invalid_request', 'plan and plan_id cannot be combined', {
      advice: 'send one of them, or neither for the recommended plan',
      details: { errors: [{ pointer: '/body/plan_id', message: 'cannot be combined with plan' }] },
    });
  if (plan_id === undefined)
    return plan ?? recommendPlan(episodes, targetProfile(project.target_profile).learns_actions).plan;
  const row = await curationRows.getPlan(scope, project.id, plan_id);
  if (row === null) throw noPlan();
  return row.plan;
}
