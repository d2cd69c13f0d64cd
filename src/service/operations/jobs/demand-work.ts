import { AssayError } from '#core';
import type { LanePlan, OpenedJob } from '#engine';
import { annotationRows, type Store, type TenantScope } from '#store';
import { demandEpisodes } from '../episodes/demand-episodes.ts';

/** Recordings that are named where they carry the layer already. */
const mostNamed = 100;

/**
 * Demands that there is something to do in a job that was opened. Throws `not_found` for episodes that the project does
 * not have, `layer_inapplicable` where none can carry the layer, `already_produced` where all of them do, `not_ready`
 * where the project has none.
 */
export async function demandWork(
  store: Store,
  scope: TenantScope,
  plan: LanePlan,
  { totals }: OpenedJob,
  episode_ids: readonly string[] | null,
): Promise<void> {
  if (episode_ids !== null) await demandEpisodes(store, scope, plan.project.id, episode_ids);
  if (totals.asked === 0) throw nothingThere(plan, episode_ids !== null);
  if (totals.items > 0) return;
  const { id: layer } = plan.row;
  const asked = { project_id: plan.project.id, layer, episode_ids };
  const { database } = store;
  const recordings = await annotationRows.listCovered(database, scope.tenant_id, asked, mostNamed);
  const said = totals.covered === 1 ? 'the episode carries' : `all ${totals.covered} episodes carry`;
  throw new AssayError('already_produced', `${said} ${layer} already`, {
    advice: 'send "force": true to have it done again',
    details: {
      already_produced: {
        layer,
        episodes: totals.covered,
        recordings: recordings.map((one) => ({ ...one })),
      },
    },
  });
}

function nothingThere({ row, project }: LanePlan, named: boolean): AssayError {
  if (named) {
    return new AssayError('layer_inapplicable', `none of these episodes can carry ${row.id}`, {
      advice: 'GET annotation/coverage tells which kinds can',
      details: { layer: row.id },
    });
  }
  return new AssayError('not_ready', 'the project has no episode that can carry it yet', {
    advice: `run a source first: POST /v1/projects/${project.id}/runs`,
    details: { layer: row.id },
  });
}
