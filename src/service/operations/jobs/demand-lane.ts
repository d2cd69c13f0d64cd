import { AssayError } from '#core';
import type { JobLayerId } from '#core/api';
import { type LanePlan, planLane } from '#engine';
import {
  coerceConfig,
  defaultConfig,
  jobLayerOf,
  type LayerRow,
  layerOf,
  resolveLayers,
} from '#labels/annotation';
import { projectRows, type Store, type TenantScope } from '#store';
import { projectInputs } from '../annotation/project-inputs.ts';
import { noProject } from '../projects/views.ts';

export interface LaneDemand {
  readonly project_id: string;
  readonly layer: JobLayerId;
  /** Knobs over those that are set. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * What has to hold before a layer spends anything in a project. Throws `not_found`, `layer_not_servable`,
 * `layer_inapplicable`, `layer_off` naming the setting, `layer_unavailable`.
 */
export async function demandLane(store: Store, scope: TenantScope, demand: LaneDemand): Promise<LanePlan> {
  const project = await projectRows.getProject(scope, demand.project_id);
  if (project === null) throw noProject();
  // No layer of the catalog: no setting turns it on or off.
  if (demand.layer === 'annotation_review') {
    const review = jobLayerOf(demand.layer);
    const config = { ...defaultConfig(review), ...coerceConfig(review, demand.config ?? {}) };
    return planLane(store, project, review, config, project.data_kind_override);
  }
  const row = layerOf(demand.layer);
  if (row.not_served !== null) {
    throw new AssayError('layer_not_servable', `${row.id} is catalogued and not served: ${row.not_served}`, {
      advice: 'choose another layer; GET annotation/settings lists them',
      details: { layer: row.id },
    });
  }
  const inputs = await projectInputs(scope, project);
  const resolved = resolveLayers(inputs).find(({ id }) => id === row.id)!;
  demandApplicable(row, resolved.applicability);
  demandOn(row, resolved, project.id);
  return planLane(
    store,
    project,
    row,
    { ...resolved.config, ...coerceConfig(row, demand.config ?? {}) },
    inputs.pinned_kind,
  );
}

type Resolved = ReturnType<typeof resolveLayers>[number];

function demandApplicable(row: LayerRow, { applicable, reason }: Resolved['applicability']): void {
  if (applicable) return;
  throw new AssayError('layer_inapplicable', `the project’s data cannot carry ${row.id}: ${reason}`, {
    advice: 'pin another data kind where this one was derived wrongly, or choose another layer',
    details: { layer: row.id, reason },
  });
}

function demandOn(row: LayerRow, { mode, from, reason }: Resolved, project_id: string): void {
  if (mode !== 'off') return;
  const setting = `modes.${row.id}`;
  throw new AssayError('layer_off', `${row.id} is set to off: ${reason}; change the setting ${setting}`, {
    advice: `PUT /v1/projects/${project_id}/annotation/settings with {"modes": {"${row.id}": "on_demand"}}`,
    details: { layer: row.id, setting, set_by: from },
  });
}
