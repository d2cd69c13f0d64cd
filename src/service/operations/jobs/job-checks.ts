import { AssayError } from '#core';
import type { JobLayerId } from '#core/api';
import { type LanePlan, type OpenedJob, planLane } from '#engine';
import {
  coerceConfig,
  defaultConfig,
  jobLayerOf,
  type LayerRow,
  layerOf,
  resolveLayers,
} from '#labels/annotation';
import { annotationRows, projectRows, type Store, type TenantScope } from '#store';
import { readProjectInputs } from '../annotation/project-inputs.ts';
import { requireEpisodes } from '../episodes/load-episode.ts';
import { noProject } from '../projects/views.ts';

/** A layer to run in a project. */
export interface LaneRequest {
  readonly project_id: string;
  readonly layer: JobLayerId;
  /** Layer settings that override the stored ones. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Checks that a layer may run in a project and returns its plan. Throws `not_found`, `layer_not_servable`,
 * `layer_inapplicable`, `layer_off` naming the setting, `layer_unavailable`.
 */
export async function requireRunnableLane(
  store: Store,
  scope: TenantScope,
  demand: LaneRequest,
): Promise<LanePlan> {
  const project = await projectRows.getProject(scope, demand.project_id);
  if (project === null) throw noProject();
  // The review is not in the layer catalogue, so no setting turns it on or off.
  if (demand.layer === 'annotation_review') {
    const review = jobLayerOf(demand.layer);
    const config = { ...defaultConfig(review), ...coerceConfig(review, demand.config ?? {}) };
    return planLane(store, project, review, config, project.data_kind_override);
  }
  const row = layerOf(demand.layer);
  if (row.not_served !== null) {
    throw new AssayError('layer_not_servable', `${row.id} is not supported: ${row.not_served}`, {
      advice: 'choose another layer; see GET /v1/projects/{project_id}/annotation/settings',
      details: { layer: row.id },
    });
  }
  const inputs = await readProjectInputs(scope, project);
  const resolved = resolveLayers(inputs).find(({ id }) => id === row.id)!;
  requireApplicable(row, resolved.applicability);
  requireEnabled(row, resolved, project.id);
  return planLane(
    store,
    project,
    row,
    { ...resolved.config, ...coerceConfig(row, demand.config ?? {}) },
    inputs.pinned_kind,
  );
}

type ResolvedLayer = ReturnType<typeof resolveLayers>[number];

function requireApplicable(row: LayerRow, { applicable, reason }: ResolvedLayer['applicability']): void {
  if (applicable) return;
  throw new AssayError('layer_inapplicable', `${row.id} does not apply to the project’s data: ${reason}`, {
    advice: 'choose another layer, or pin the data kind if it was detected wrongly',
    details: { layer: row.id, reason },
  });
}

function requireEnabled(row: LayerRow, { mode, from, reason }: ResolvedLayer, project_id: string): void {
  if (mode !== 'off') return;
  const setting = `modes.${row.id}`;
  throw new AssayError('layer_off', `${row.id} is set to off: ${reason}; change the setting ${setting}`, {
    advice: `PUT /v1/projects/${project_id}/annotation/settings with {"modes": {"${row.id}": "on_demand"}}`,
    details: { layer: row.id, setting, set_by: from },
  });
}

/** Episodes that an error names as carrying the layer already. */
const maxListedEpisodes = 100;

/**
 * Checks that an opened job has work to do. Throws `not_found` for episodes of other projects, `layer_inapplicable`
 * if none of the given episodes can carry the layer, `already_produced` if all of them carry it, `not_ready` if the
 * project has none that can.
 */
export async function requireWork(
  store: Store,
  scope: TenantScope,
  plan: LanePlan,
  { totals }: OpenedJob,
  episode_ids: readonly string[] | null,
): Promise<void> {
  if (episode_ids !== null) await requireEpisodes(store, scope, plan.project.id, episode_ids);
  if (totals.asked === 0) throw noEligibleEpisodes(plan, episode_ids !== null);
  if (totals.items > 0) return;
  const { id: layer } = plan.row;
  const selection = { project_id: plan.project.id, layer, episode_ids };
  const { database } = store;
  const recordings = await annotationRows.listCovered(
    database,
    scope.tenant_id,
    selection,
    maxListedEpisodes,
  );
  const subject =
    totals.covered === 1 ? 'the episode already has' : `all ${totals.covered} episodes already have`;
  throw new AssayError('already_produced', `${subject} ${layer}`, {
    advice: 'send "force": true to annotate them again',
    details: {
      already_produced: {
        layer,
        episodes: totals.covered,
        recordings: recordings.map((one) => ({ ...one })),
      },
    },
  });
}

function noEligibleEpisodes({ row, project }: LanePlan, named: boolean): AssayError {
  if (named) {
    return new AssayError('layer_inapplicable', `${row.id} does not apply to any of these episodes`, {
      advice: 'see GET /v1/projects/{project_id}/annotation/coverage for the data kinds it applies to',
      details: { layer: row.id },
    });
  }
  return new AssayError('not_ready', 'the project has no episodes that this layer applies to', {
    advice: `run a source first: POST /v1/projects/${project.id}/runs`,
    details: { layer: row.id },
  });
}
