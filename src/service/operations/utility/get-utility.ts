import { significant } from '#core';
import type { Component, Utility } from '#core/api';
import { targetProfile } from '#quality/catalog';
import { viewsOf } from '#quality/readiness';
import { projectRows, type Store, type TargetTotals, targetRows } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { readReceipt } from '../episodes/read-receipt.ts';
import { noProject } from '../projects/views.ts';
import { getTargetReadiness } from '../target-readiness/get-target-readiness.ts';
import { composedOnly } from './limits.ts';

/** Receipts that the means are taken over; each is some kilobytes. */
const mostReceipts = 100;

/**
 * Integrity and semantic quality as receipts say them, and the signals of the target; nothing is measured again and
 * utility has no number. Throws `not_found`.
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
  const sampled = await targetRows.sampleUsable(scope, project_id, mostReceipts);
  const views = [];
  for (const episode of sampled) views.push(viewsOf(await readReceipt(store, episode)));
  const { requirements } = await getTargetReadiness(store, call, { project_id });
  return {
    project_id,
    target_profile: targetProfile(project.target_profile).id,
    integrity: meanView(views.map(({ integrity }) => integrity)),
    semantic: { ...meanView(views.map(({ semantic }) => semantic)), proxy_metrics: proxies(totals) },
    utility: { signals: requirements.map((signal) => ({ ...signal })), limits: [...composedOnly] },
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
      mean_score: meanOf(all.flatMap((check) => (check.status === 'scored' ? [check.score] : []))),
    };
  });
  return { score: meanOf(views.flatMap(({ score }) => score ?? [])), checks };
}

const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : significant(values.reduce((sum, value) => sum + value, 0) / values.length);

/** They stand for what nobody has measured: whether words fit what happened. */
function proxies({ usable, instructed, tasks, with_outcome }: TargetTotals) {
  const share = (count: number): Utility['semantic']['proxy_metrics'][number]['result'] =>
    usable === 0
      ? { status: 'not_assessable', reason: 'there is no episode that was not rejected' }
      : { status: 'measured', value: significant(count / usable) };
  return [
    {
      id: 'instructed_share',
      about: 'share of the episodes that say in words what is done',
      result: share(instructed),
    },
    {
      id: 'outcome_share',
      about: 'share of the episodes that say how they ended',
      result: share(with_outcome),
    },
    {
      id: 'distinct_instructions',
      about: 'different texts for every hundred episodes',
      result:
        usable === 0
          ? share(0)
          : ({ status: 'measured', value: significant((100 * tasks) / usable) } as const),
    },
  ];
}
