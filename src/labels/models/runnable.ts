import { join } from 'node:path';
import { AssayError } from '#core';
import { type ModelSurfaceId, modelSurfaceIds, type VisionEndpoint } from '#core/api';
import { type ChosenModel, chooseModel, type ModelChoices } from './choose-model.ts';
import { mainGraph } from './contract.ts';
import type { ModelRef } from './host/protocol.ts';
import type { ModelOption, SurfaceRow } from './surface.ts';
import { surfaceOf } from './surface-registry.ts';
import type { Inventory } from './weights/inventory.ts';
import { bundledPath, listWeightFiles, weightsPath } from './weights/weight-folders.ts';

/** Algorithms that lanes of this version implement. */
const implementedAlgorithms: ReadonlySet<string> = new Set([
  'ifzhang/bytetrack',
  'opencv/farneback',
  'opencv/grabcut',
]);

/** A selected model that cannot run here. */
interface MissingModel {
  /** What is missing, and who chose the model. */
  readonly reason: string;
  /** True if the operator of the service chose it, so that a layer must not do without it. */
  readonly enforced: boolean;
}

/** Surfaces whose selected model cannot run here. */
export type MissingModels = ReadonlyMap<ModelSurfaceId, MissingModel>;

/** The selected models, by whether they can run here. Includes algorithms, which lanes implement themselves. */
export interface ModelSelection {
  readonly runnable: ReadonlyMap<ModelSurfaceId, RunnableModel>;
  readonly missing: MissingModels;
}

/** Selects the model of every surface, and tells which of them can run here. */
export function selectModels(choices: ModelChoices, inventory: Inventory): ModelSelection {
  const { served } = choices;
  const runnable = new Map<ModelSurfaceId, RunnableModel>();
  const missing = new Map<ModelSurfaceId, MissingModel>();
  for (const id of modelSurfaceIds) {
    const surface = surfaceOf(id);
    const isRunnableHere = createRunnablePredicate(inventory, choices);
    const chosen = chooseModel(surface, choices, isRunnableHere);
    const { model, from } = chosen;
    if (isRunnableHere(surface, model))
      runnable.set(id, model.runtime === 'endpoint' && served !== undefined ? { ...model, served } : model);
    else {
      const enforced = from === 'environment' && model.runtime !== 'algorithm';
      missing.set(id, { reason: explainMissing(surface, chosen, inventory), enforced });
    }
  }
  return { runnable, missing };
}

/** Returns the selected model of each surface, if it can run here. */
export const runnableModels = (choices: ModelChoices, inventory: Inventory): ModelSelection['runnable'] =>
  selectModels(choices, inventory).runnable;

/** Returns what a selected model lacks to run here, and who selected it. */
export function explainMissing(
  surface: SurfaceRow,
  { model, from }: Pick<ChosenModel, 'model' | 'from'>,
  inventory: Inventory,
): string {
  const chooser = {
    environment: `, set by ASSAY_MODEL_${surface.id.toUpperCase()},`,
    project: ', chosen by the project,',
    tenant: ', chosen by the tenant,',
    use_case: ', chosen for the use case,',
    default: '',
  }[from];
  const lack = `${model.id}${chooser} ${describeLack(surface, model, inventory)}`;
  return [lack, ...(from === 'default' ? consentAdvice(surface) : [])].join('; ');
}

/** Returns how to allow the bundled models of a surface that run only where they were chosen. */
const consentAdvice = ({ id: surface, options }: SurfaceRow): string[] =>
  options.flatMap(({ id, needs_consent, runtime }) =>
    needs_consent === undefined || runtime !== 'bundled'
      ? []
      : [
          `${id} is bundled, but ${needs_consent}: to use it nevertheless, choose it for ${surface} ` +
            `(models of the project or tenant, or ASSAY_MODEL_${surface.toUpperCase()})`,
        ],
  );

function describeLack(
  surface: SurfaceRow,
  { id, runtime, contract }: ModelOption,
  inventory: Inventory,
): string {
  if (runtime === 'endpoint') return 'needs a vision endpoint: set ASSAY_VLM_URL and ASSAY_VLM_MODEL';
  if (needsContract(surface) && contract === undefined) return 'is not supported by this version';
  const found = inventory.get(id);
  if (found?.installed !== 'absent') return 'cannot run here';
  const folder = found.weights?.folder ?? '';
  const source = found.weights?.source ?? null;
  if (source === null) return `needs an .onnx file in ${folder} of the data folder: export it, then pull it`;
  const files = found.weights?.files.filter(({ present }) => !present).map(({ path }) => path) ?? [];
  return `is not installed: ${files.join(', ')} missing in ${folder} of the data folder; run assay models pull ${id}`;
}

/** Returns the predicate for `chooseModel` that tells which options can run here. */
export const createRunnablePredicate =
  (inventory: Inventory, { served }: Pick<ModelChoices, 'served'>) =>
  (surface: SurfaceRow, model: ModelOption): boolean =>
    model.runtime === 'endpoint' ? served !== undefined : isRunnable(surface, model, inventory);

const needsContract = (surface: SurfaceRow): boolean =>
  surface.options.some((option) => option.contract !== undefined);

/**
 * Returns whether a model can run: lanes implement the algorithm, or the model host has a runtime and the files are
 * installed. On surfaces with contracts, a model without a contract cannot be used.
 */
function isRunnable(
  surface: SurfaceRow,
  { id, runtime, contract }: ModelOption,
  inventory: Inventory,
): boolean {
  if (runtime === 'algorithm') return implementedAlgorithms.has(id);
  if (needsContract(surface) && contract === undefined) return false;
  if (runtime === 'bundled') return true;
  const isOnnx = runtime === 'onnx' || runtime === 'onnx_export_needed';
  return isOnnx && inventory.get(id)?.installed === 'installed';
}

/**
 * Resolves model names to files or endpoint, by surface. Algorithms and missing models are left out.
 * @throws `layer_unavailable` for an endpoint model that `endpoint` does not serve; no other model replaces it.
 */
export async function resolveModelRefs(
  data_folder: string,
  surfaces: readonly ModelSurfaceId[],
  models: readonly string[],
  endpoint: VisionEndpoint | undefined,
): Promise<Readonly<Partial<Record<ModelSurfaceId, ModelRef>>>> {
  if (models.length === 0) return {};
  const weightFiles = await listWeightFiles(data_folder);
  const refs: Partial<Record<ModelSurfaceId, ModelRef>> = {};
  for (const surface of surfaces) {
    const parsedNames = models.map(parseModelName);
    const option = surfaceOf(surface).options.find(({ id }) => parsedNames.some((one) => one.id === id));
    if (option === undefined) continue;
    if (option.runtime === 'endpoint') {
      const name = models[parsedNames.findIndex(({ id }) => id === option.id)];
      refs[surface] = endpointRef(name, endpoint);
      continue;
    }
    const files = weightFiles.get(option.id) ?? new Set<string>();
    const ref = bundledRef(option) ?? installedRef(option, installedGraphPath(data_folder, option, files));
    if (ref !== null) refs[surface] = ref;
  }
  return refs;
}

/** Returns the reference to a model on the vision endpoint. */
function endpointRef(model: string, endpoint: VisionEndpoint | undefined): ModelRef {
  if (endpoint !== undefined && endpoint.model === parseModelName(model).served)
    return { model, runtime: 'endpoint', graphs: {}, endpoint };
  throw new AssayError('layer_unavailable', `no vision endpoint is configured for ${model}`, {
    advice: 'set the same ASSAY_VLM_URL and ASSAY_VLM_MODEL for every process that annotates',
  });
}

function installedRef({ id, contract }: ModelOption, path: string | null): ModelRef | null {
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

/**
 * Returns the path of the .onnx file to load: the first one listed in the registry, else the first in the folder;
 * `null` if it is missing.
 */
function installedGraphPath(
  data_folder: string,
  { id, weights }: ModelOption,
  files: ReadonlySet<string>,
): string | null {
  const parsedNames = weights?.files.map(({ path }) => path) ?? [...files].sort();
  const file = parsedNames.find((path) => path.endsWith('.onnx') && files.has(path));
  return file === undefined ? null : join(weightsPath(data_folder, id), ...file.split('/'));
}

/** A model option that can run here. */
export interface RunnableModel extends ModelOption {
  /** Model name on the server, for an option of runtime `endpoint`. */
  readonly served?: string;
}

/** Separator between an option's id and the model that an endpoint serves for it. */
const servedSeparator = '@';

/** Returns the name of a model in artifacts and jobs: its id, plus the served model for an endpoint. */
export const modelName = ({ id, served }: RunnableModel): string =>
  served === undefined ? id : `${id}${servedSeparator}${served}`;

/** Splits a model name, `id` or `id@served`, at its first `@`; `served` is `null` without an endpoint. */
export function parseModelName(name: string): { readonly id: string; readonly served: string | null } {
  const at = name.indexOf(servedSeparator);
  return at < 0 ? { id: name, served: null } : { id: name.slice(0, at), served: name.slice(at + 1) };
}
