import {
  coerceConfig,
  type LaneRow,
  type LayerConfig,
  type LayerRow,
  lanes,
  layerOf,
  resolveLayers,
} from '#annotation';
import type { LayerId } from '#contract';
import { type Kind, kinds } from '#episode';
import { AssayError, canonicalJson, type JsonValue, sha256 } from '#kernel';
import { type projectRows, projectRows as projectTable, type Store, type TenantScope } from '#store';
import { type ProjectGround, projectGround } from '../annotation/project-ground.ts';
import { priceOf } from '../budget/prices.ts';
import { noProject } from '../projects/views.ts';

/** Work of a layer that may be done in a project, and how. */
export interface LaneOrder {
  readonly project: projectRows.ProjectRow;
  readonly row: LayerRow;
  readonly lane: LaneRow;
  readonly config: LayerConfig;
  /** SHA-256 of everything but the episode that decides what comes out. */
  readonly config_hash: string;
  readonly model: string | null;
  /** Kinds, by the streams, that can carry the layer. */
  readonly kinds: readonly Kind[];
  readonly price_usd_per_s: number;
}

export interface LaneDemand {
  readonly project_id: string;
  readonly layer: LayerId | 'annotation_review';
  /** Knobs over those that are set. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * What has to hold before a layer spends anything in a project. Throws `not_found`, `layer_not_servable`,
 * `layer_inapplicable`, `layer_off` naming the setting, `layer_unavailable`.
 */
export async function demandLane(store: Store, scope: TenantScope, demand: LaneDemand): Promise<LaneOrder> {
  const project = await projectTable.getProject(scope, demand.project_id);
  if (project === null) throw noProject();
  if (demand.layer === 'annotation_review') throw notRunHere('annotation_review');
  const row = layerOf(demand.layer);
  if (row.not_served !== null) {
    throw new AssayError('layer_not_servable', `${row.id} is catalogued and not served: ${row.not_served}`, {
      advice: 'choose another layer; GET annotation/settings lists them',
      details: { layer: row.id },
    });
  }
  const ground = await projectGround(scope, project);
  const resolved = resolveLayers(ground).find(({ id }) => id === row.id)!;
  demandApplicable(row, resolved.applicability);
  demandOn(row, resolved, project.id);
  return laneOrder(
    store,
    project,
    row,
    { ...resolved.config, ...coerceConfig(row, demand.config ?? {}) },
    ground,
  );
}

/** A layer as it would be run in a project, whatever its mode. Throws `layer_unavailable`. */
export function laneOrder(
  store: Store,
  project: projectRows.ProjectRow,
  row: LayerRow,
  config: LayerConfig,
  { pinned_kind }: Pick<ProjectGround, 'pinned_kind'>,
): LaneOrder {
  const lane = lanes.get(row.id);
  if (lane === undefined) throw notRunHere(row.id);
  const model = null;
  const decides = { layer: row.id, version: lane.version, model, config };
  return {
    project,
    row,
    lane,
    config,
    config_hash: sha256(canonicalJson(decides as unknown as JsonValue)),
    model,
    kinds: kindsFor(row, pinned_kind),
    price_usd_per_s: priceOf(store.prices, row.id, 'cpu'),
  };
}

/** Kinds, by the streams, that can carry a layer; a pinned kind stands for that of all. */
export const kindsFor = (row: LayerRow, pinned_kind: Kind | null): readonly Kind[] =>
  pinned_kind === null ? kinds.filter((kind) => row.unfit[kind] === undefined) : kinds;

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

/** For a layer whose lane is not there. */
function notRunHere(layer: string): AssayError {
  return new AssayError('layer_unavailable', `this version has no lane that runs ${layer}`, {
    advice: 'GET annotation/status tells which layers can be run here',
    details: { layer },
  });
}
