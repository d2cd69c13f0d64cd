import { type ModelSurfaceId, modelSurfaceIds } from '#contract';
import { chooseModel, type ModelWishes } from './choose-model.ts';
import { mainGraph } from './contract.ts';
import type { ModelRef } from './host/messages.ts';
import type { ModelOption, SurfaceRow } from './surface.ts';
import { surfaceOf } from './surface-registry.ts';
import { bundledPath } from './weights/bundled-path.ts';
import type { Inventory } from './weights/inventory.ts';
import { listPlaced } from './weights/list-placed.ts';
import { placedGraph } from './weights/placed-graph.ts';

/** Those that lanes of this version have. */
const algorithms: ReadonlySet<string> = new Set(['ifzhang/bytetrack', 'opencv/farneback', 'opencv/grabcut']);

/** The models in effect that can be run here, by surface; algorithms too, which lanes run themselves. */
export function runnableModels(
  wishes: ModelWishes,
  inventory: Inventory,
): ReadonlyMap<ModelSurfaceId, ModelOption> {
  const runnable = new Map<ModelSurfaceId, ModelOption>();
  for (const id of modelSurfaceIds) {
    const surface = surfaceOf(id);
    const { model } = chooseModel(surface, wishes, runnableHere(inventory));
    if (isRunnable(surface, model, inventory)) runnable.set(id, model);
  }
  return runnable;
}

/** Tells of a surface's options which can be run here, for `chooseModel`. */
export const runnableHere =
  (inventory: Inventory) =>
  (surface: SurfaceRow, model: ModelOption): boolean =>
    isRunnable(surface, model, inventory);

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

/** Where the host finds models whose ids are given, by surface; algorithms and those that are not here are left out. */
export async function modelRefs(
  data_folder: string,
  surfaces: readonly ModelSurfaceId[],
  models: readonly string[],
): Promise<Readonly<Partial<Record<ModelSurfaceId, ModelRef>>>> {
  if (models.length === 0) return {};
  const placed = await listPlaced(data_folder);
  const refs: Partial<Record<ModelSurfaceId, ModelRef>> = {};
  for (const surface of surfaces) {
    const option = surfaceOf(surface).options.find(({ id }) => models.includes(id));
    if (option === undefined) continue;
    const files = placed.get(option.id) ?? new Set<string>();
    const ref = bundledRef(option) ?? placedRef(option, placedGraph(data_folder, option, files));
    if (ref !== null) refs[surface] = ref;
  }
  return refs;
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
