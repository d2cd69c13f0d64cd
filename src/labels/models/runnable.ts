import { join } from 'node:path';
import { AssayError } from '#core';
import { type ModelSurfaceId, modelSurfaceIds, type VisionEndpoint } from '#core/api';
import { chooseModel, type ModelWishes } from './choose-model.ts';
import { mainGraph } from './contract.ts';
import type { ModelRef } from './host/messages.ts';
import { namedModel, type RunnableModel } from './model-name.ts';
import type { ModelOption, SurfaceRow } from './surface.ts';
import { surfaceOf } from './surface-registry.ts';
import { bundledPath } from './weights/bundled-path.ts';
import type { Inventory } from './weights/inventory.ts';
import { listPlaced } from './weights/list-placed.ts';
import { weightsPath } from './weights/weight-folders.ts';

/** Those that lanes of this version have. */
const algorithms: ReadonlySet<string> = new Set(['ifzhang/bytetrack', 'opencv/farneback', 'opencv/grabcut']);

/** The models in effect that can be run here, by surface; algorithms too, which lanes run themselves. */
export function runnableModels(
  wishes: ModelWishes,
  inventory: Inventory,
): ReadonlyMap<ModelSurfaceId, RunnableModel> {
  const { served } = wishes;
  const runnable = new Map<ModelSurfaceId, RunnableModel>();
  for (const id of modelSurfaceIds) {
    const surface = surfaceOf(id);
    const isHere = runnableHere(inventory, wishes);
    const { model } = chooseModel(surface, wishes, isHere);
    if (!isHere(surface, model)) continue;
    runnable.set(id, model.runtime === 'endpoint' && served !== undefined ? { ...model, served } : model);
  }
  return runnable;
}

/** Tells of a surface's options which can be run here, for `chooseModel`. */
export const runnableHere =
  (inventory: Inventory, { served }: Pick<ModelWishes, 'served'>) =>
  (surface: SurfaceRow, model: ModelOption): boolean =>
    model.runtime === 'endpoint' ? served !== undefined : isRunnable(surface, model, inventory);

/**
 * Whether lanes have an algorithm, or the model host has a runtime for a model whose files are there. Where lanes read
 * a surface's models by contract, one without is of no use to them.
 */
function isRunnable(
  surface: SurfaceRow,
  { id, runtime, contract }: ModelOption,
  inventory: Inventory,
): boolean {
  if (runtime === 'algorithm') return algorithms.has(id);
  const byContract = surface.options.some((option) => option.contract !== undefined);
  if (byContract && contract === undefined) return false;
  if (runtime === 'bundled') return true;
  const isOnnx = runtime === 'onnx' || runtime === 'onnx_export_needed';
  return isOnnx && inventory.get(id)?.installed === 'installed';
}

/**
 * Where models are found whose names are given, by surface; algorithms and those that are not here are left out. Throws
 * `layer_unavailable` for one that `endpoint` does not serve: what it would say is not to be composed in its place.
 */
export async function modelRefs(
  data_folder: string,
  surfaces: readonly ModelSurfaceId[],
  models: readonly string[],
  endpoint: VisionEndpoint | undefined,
): Promise<Readonly<Partial<Record<ModelSurfaceId, ModelRef>>>> {
  if (models.length === 0) return {};
  const placed = await listPlaced(data_folder);
  const refs: Partial<Record<ModelSurfaceId, ModelRef>> = {};
  for (const surface of surfaces) {
    const named = models.map(namedModel);
    const option = surfaceOf(surface).options.find(({ id }) => named.some((one) => one.id === id));
    if (option === undefined) continue;
    if (option.runtime === 'endpoint') {
      const name = models[named.findIndex(({ id }) => id === option.id)];
      refs[surface] = endpointRef(name, endpoint);
      continue;
    }
    const files = placed.get(option.id) ?? new Set<string>();
    const ref = bundledRef(option) ?? placedRef(option, placedGraph(data_folder, option, files));
    if (ref !== null) refs[surface] = ref;
  }
  return refs;
}

/** As a lane is given it. */
function endpointRef(model: string, endpoint: VisionEndpoint | undefined): ModelRef {
  if (endpoint !== undefined && endpoint.model === namedModel(model).served)
    return { model, runtime: 'endpoint', graphs: {}, endpoint };
  throw new AssayError('layer_unavailable', `no vision endpoint serves ${model} here`, {
    advice: 'set ASSAY_VLM_URL and ASSAY_VLM_MODEL alike for every process that annotates',
  });
}

function placedRef({ id, contract }: ModelOption, path: string | null): ModelRef | null {
  if (path === null) return null;
  return { model: id, runtime: 'onnx', graphs: { [mainGraph]: path }, ...(contract && { contract }) };
}

function bundledRef({ id, bundled, contract }: ModelOption): ModelRef | null {
  if (bundled === undefined) return null;
  const graphs: Record<string, string> = {};
  for (const [graph, file] of Object.entries(bundled.files)) {
    const path = bundledPath(bundled.package, file);
    if (path === null) return null;
    graphs[graph] = path;
  }
  return { model: id, runtime: 'tfjs', graphs, ...(contract && { contract }) };
}

/** The file that is loaded of those in a model's folder: the graph that the registry names, else the first one there. */
function placedGraph(
  data_folder: string,
  { id, weights }: ModelOption,
  files: ReadonlySet<string>,
): string | null {
  const named = weights?.files.map(({ path }) => path) ?? [...files].sort();
  const file = named.find((path) => path.endsWith('.onnx') && files.has(path));
  return file === undefined ? null : join(weightsPath(data_folder, id), ...file.split('/'));
}
