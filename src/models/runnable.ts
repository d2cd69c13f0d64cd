import { join } from 'node:path';
import { type ModelSurfaceId, modelSurfaceIds } from '#contract';
import { chooseModel, type ModelWishes } from './choose-model.ts';
import type { ModelRef } from './host/messages.ts';
import type { ModelOption } from './surface.ts';
import { surfaceOf } from './surface-registry.ts';
import type { Inventory } from './weights/inventory.ts';
import { listPlaced } from './weights/list-placed.ts';
import { weightsPath } from './weights/weight-folders.ts';

/** Whether the model host has a runtime for a model whose files are there. */
const hasRuntime = ({ runtime }: ModelOption): boolean =>
  runtime === 'onnx' || runtime === 'onnx_export_needed';

/** The models in effect that can be run here, by surface. */
export function runnableModels(
  wishes: ModelWishes,
  inventory: Inventory,
): ReadonlyMap<ModelSurfaceId, ModelOption> {
  const runnable = new Map<ModelSurfaceId, ModelOption>();
  for (const id of modelSurfaceIds) {
    const { model } = chooseModel(surfaceOf(id), wishes);
    if (hasRuntime(model) && inventory.get(model.id)?.installed === 'installed') runnable.set(id, model);
  }
  return runnable;
}

/** Where the host finds models whose ids are given, by surface; those that are not here are left out. */
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
    const file = option === undefined ? null : graphOf(option, placed.get(option.id) ?? new Set());
    if (option === undefined || file === null) continue;
    refs[surface] = {
      model: option.id,
      runtime: 'onnx',
      path: join(weightsPath(data_folder, option.id), ...file.split('/')),
    };
  }
  return refs;
}

/** The file that is loaded: the graph that the registry names, else the first one there. */
function graphOf({ weights }: ModelOption, files: ReadonlySet<string>): string | null {
  const named = weights?.files.map(({ path }) => path) ?? [...files].sort();
  return named.find((path) => path.endsWith('.onnx') && files.has(path)) ?? null;
}
