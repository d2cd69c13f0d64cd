import { AssayError } from '#core';
import type { ModelSurfaceId, UseCaseId } from '#core/api';
import { type Kind, kinds } from '#core/episode';
import { type JobLayerRow, type Lane, type LayerConfig, readStoredSettings } from '#labels/annotation';
import {
  collectModelChoices,
  type ModelSelection,
  parseModelName,
  recentInventory,
  selectModels,
} from '#labels/models';
import { projectCountRows, type projectRows, type Store, tenantModelRows } from '#store';
import { findPrice, type TokenPrices } from '../../budget/prices.ts';
import { configHash, laneModel, modelSeparator } from '../../steps/annotate/lane-models.ts';
import { findModelTokenPrices } from './job-costs.ts';

/** A layer as it would run in a project. */
export interface LanePlan {
  readonly project: projectRows.ProjectRow;
  readonly row: JobLayerRow;
  readonly lane: Lane;
  readonly config: LayerConfig;
  /** SHA-256 of everything except the episode that affects the output. */
  readonly config_hash: string;
  readonly model: string | null;
  /** Derived kinds to which the layer applies. */
  readonly kinds: readonly Kind[];
  readonly price_usd_per_s: number;
  /** The same for models on an accelerator. */
  readonly gpu_price_usd_per_s: number;
  /** Token prices; `null` without a vision endpoint. */
  readonly token_prices: TokenPrices | null;
}

/**
 * Returns the models, config hash, applicable kinds and prices with which a layer would run in a project, whatever its mode;
 * throws `layer_unavailable` if it cannot run.
 */
export async function planLane(
  store: Store,
  project: projectRows.ProjectRow,
  row: JobLayerRow,
  config: LayerConfig,
  pinned_kind: Kind | null,
): Promise<LanePlan> {
  const { lane } = row;
  if (lane === null) throw noLaneError(row.id);
  const model = await chooseModel(store, project, row, config);
  return {
    project,
    row,
    lane,
    config,
    config_hash: configHash(row, model, config),
    model,
    kinds: applicableKinds(row, pinned_kind),
    price_usd_per_s: findPrice(store.prices, row.id, 'cpu'),
    gpu_price_usd_per_s: findPrice(store.prices, row.id, 'gpu'),
    token_prices: usesVisionEndpoint(model)
      ? findModelTokenPrices(store.prices, modelsOfJob({ model }))
      : null,
  };
}

/** Returns the distinct models that a layer would run, or null if it runs none. Throws `layer_unavailable`. */
async function chooseModel(
  store: Store,
  project: projectRows.ProjectRow,
  row: JobLayerRow,
  config: LayerConfig,
): Promise<string | null> {
  if (row.needs.models.length === 0) return null;
  const recorded = row.needs.distances === undefined ? [] : await recordedSurfaces(store, project);
  return laneModel(row, config, await projectModels(store, project), { advice: statusAdvice, recorded });
}

/** Returns surfaces whose output some episodes of the project contain, so that these need no model. */
async function recordedSurfaces(
  { database }: Pick<Store, 'database'>,
  { tenant_id, id }: Pick<projectRows.ProjectRow, 'tenant_id' | 'id'>,
): Promise<readonly ModelSurfaceId[]> {
  return (await projectCountRows.hasRecordedDepth({ sql: database.sql, tenant_id }, id)) ? ['depth'] : [];
}

/**
 * Returns the model in effect per surface, as chosen by the project, its tenant or the defaults, and whether it can run on
 * this machine.
 */
export async function projectModels(
  store: Store,
  { tenant_id, use_case, annotation_settings }: projectRows.ProjectRow,
): Promise<ModelSelection> {
  const scope = { sql: store.database.sql, tenant_id };
  const [tenant, inventory] = [
    await tenantModelRows.getTenantModels(scope),
    await recentInventory(store.data_folder),
  ];
  const chosen = { use_case: use_case as UseCaseId, tenant_models: tenant?.models ?? null };
  const { models } = readStoredSettings(annotation_settings);
  return selectModels(collectModelChoices(store, { ...chosen, project: models }), inventory);
}

const statusAdvice = 'GET annotation/status lists the layers that can run here';

/** Returns the names of a job's models, as its row lists them; empty for null. */
export const modelsOfJob = ({ model }: { readonly model: string | null }): readonly string[] =>
  model === null ? [] : model.split(modelSeparator);

/** Returns true if a vision endpoint is among the models of a job. */
export const usesVisionEndpoint = (model: string | null): boolean =>
  modelsOfJob({ model }).some((name) => parseModelName(name).served !== null);

/** Returns the derived kinds to which a layer applies; all kinds if the kind is pinned, since it then decides. */
export const applicableKinds = (row: JobLayerRow, pinned_kind: Kind | null): readonly Kind[] =>
  pinned_kind === null ? kinds.filter((kind) => row.unfit[kind] === undefined) : kinds;

/** Returns the error for a layer that has no lane in this version. */
export function noLaneError(layer: string): AssayError {
  return new AssayError('layer_unavailable', `this version does not implement ${layer}`, {
    advice: statusAdvice,
    details: { layer },
  });
}
