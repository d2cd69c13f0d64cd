import { AssayError } from '#core';
import type { ModelSurfaceId, UseCaseId } from '#core/api';
import { type Kind, kinds } from '#core/episode';
import { type JobLayerRow, type Lane, type LayerConfig, readStoredSettings } from '#labels/annotation';
import { modelWishes, namedModel, type RunnableModel, recentInventory, runnableModels } from '#labels/models';
import { projectCountRows, type projectRows, type Store, tenantModelRows } from '#store';
import { priceOf, type TokenPrices } from '../../budget/prices.ts';
import { configHash, laneModel, modelSeparator } from '../../steps/annotate/lane-model.ts';
import { tokenPricesFor } from './token-prices.ts';

/** Work of a layer that may be done in a project, and how. */
export interface LanePlan {
  readonly project: projectRows.ProjectRow;
  readonly row: JobLayerRow;
  readonly lane: Lane;
  readonly config: LayerConfig;
  /** SHA-256 of everything but the episode that decides what comes out. */
  readonly config_hash: string;
  readonly model: string | null;
  /** Kinds, by the streams, that can carry the layer. */
  readonly kinds: readonly Kind[];
  readonly price_usd_per_s: number;
  /** The same where models are computed by an accelerator. */
  readonly gpu_price_usd_per_s: number;
  /** Null: it asks no vision endpoint. */
  readonly token_prices: TokenPrices | null;
}

/** A layer as it would be run in a project, whatever its mode. Throws `layer_unavailable`. */
export async function planLane(
  store: Store,
  project: projectRows.ProjectRow,
  row: JobLayerRow,
  config: LayerConfig,
  pinned_kind: Kind | null,
): Promise<LanePlan> {
  const { lane } = row;
  if (lane === null) throw notRunHere(row.id);
  const model = await modelOf(store, project, row);
  return {
    project,
    row,
    lane,
    config,
    config_hash: configHash(row, lane, model, config),
    model,
    kinds: kindsFor(row, pinned_kind),
    price_usd_per_s: priceOf(store.prices, row.id, 'cpu'),
    gpu_price_usd_per_s: priceOf(store.prices, row.id, 'gpu'),
    token_prices: asksEndpoint(model) ? tokenPricesFor(store.prices, modelsOfJob({ model })) : null,
  };
}

/** The models that a layer would run, each once; null where it runs none. Throws `layer_unavailable`. */
async function modelOf(
  store: Store,
  project: projectRows.ProjectRow,
  row: JobLayerRow,
): Promise<string | null> {
  if (row.needs.surfaces.length === 0) return null;
  const recorded = row.needs.distances === undefined ? [] : await recordedSurfaces(store, project);
  return laneModel(row, await projectModels(store, project), { advice: askStatus, recorded });
}

/** Surfaces that need no model for some episodes of a project, since they hold what it would give. */
async function recordedSurfaces(
  { database }: Pick<Store, 'database'>,
  { tenant_id, id }: Pick<projectRows.ProjectRow, 'tenant_id' | 'id'>,
): Promise<readonly ModelSurfaceId[]> {
  return (await projectCountRows.hasRecordedDepth({ sql: database.sql, tenant_id }, id)) ? ['depth'] : [];
}

/** The model in effect for each surface whose model can be run here, as the project and its tenant chose. */
export async function projectModels(
  store: Store,
  { tenant_id, use_case, annotation_settings }: projectRows.ProjectRow,
): Promise<ReadonlyMap<ModelSurfaceId, RunnableModel>> {
  const scope = { sql: store.database.sql, tenant_id };
  const [tenant, inventory] = [
    await tenantModelRows.getTenantModels(scope),
    await recentInventory(store.data_folder),
  ];
  const chosen = { use_case: use_case as UseCaseId, tenant_models: tenant?.models ?? null };
  const { models } = readStoredSettings(annotation_settings);
  return runnableModels(modelWishes(store, { ...chosen, project: models }), inventory);
}

const askStatus = 'GET annotation/status tells which layers can be run here';

/** The models that a job runs, as its row names them. */
export const modelsOfJob = ({ model }: { readonly model: string | null }): readonly string[] =>
  model === null ? [] : model.split(modelSeparator);

/** Whether a vision endpoint is among the models of a job. */
export const asksEndpoint = (model: string | null): boolean =>
  modelsOfJob({ model }).some((name) => namedModel(name).served !== null);

/** Kinds, by the streams, that can carry a layer; a pinned kind stands for that of all. */
export const kindsFor = (row: JobLayerRow, pinned_kind: Kind | null): readonly Kind[] =>
  pinned_kind === null ? kinds.filter((kind) => row.unfit[kind] === undefined) : kinds;

/** For a layer whose lane is not there. */
export function notRunHere(layer: string): AssayError {
  return new AssayError('layer_unavailable', `this version has no lane that runs ${layer}`, {
    advice: askStatus,
    details: { layer },
  });
}
