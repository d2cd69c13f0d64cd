import { type ModelSurfaceId, modelSurfaceIds } from '#core/api';
import { type ChosenModel, chooseModel, type ModelChoices } from './choose-model.ts';
import type { ModelOption, SurfaceRow } from './surface.ts';
import { surfaceOf } from './surface-registry.ts';
import type { Inventory } from './weights/inventory.ts';

/** A selected model that cannot run here. */
interface MissingModel {
  /** Message for users: what the model lacks, and at which level it was chosen. */
  readonly reason: string;
  /**
   * True if the operator set it by environment variable; a layer that could also run without the model is then
   * unavailable.
   */
  readonly enforced: boolean;
}

/** Surfaces whose selected model cannot run here. */
export type MissingModels = ReadonlyMap<ModelSurfaceId, MissingModel>;

/** The selected models, divided into those that can run here and those that cannot. Algorithms count as models. */
export interface ModelSelection {
  readonly runnable: ReadonlyMap<ModelSurfaceId, RunnableModel>;
  readonly missing: MissingModels;
}

/** Selects the model of every surface, and returns those that can run here and, for the others, the reason why not. */
export function selectModels(choices: ModelChoices, inventory: Inventory): ModelSelection {
  const { served } = choices;
  const runnable = new Map<ModelSurfaceId, RunnableModel>();
  const missing = new Map<ModelSurfaceId, MissingModel>();
  for (const id of modelSurfaceIds) {
    const surface = surfaceOf(id);
    const isRunnableHere = createRunnablePredicate(inventory, choices);
    const chosen = chooseModel(surface, choices, isRunnableHere);
    const { model, from } = chosen;
    if (isRunnableHere(model))
      runnable.set(id, model.runtime === 'endpoint' && served !== undefined ? { ...model, served } : model);
    else
      missing.set(id, {
        reason: explainMissing(surface, chosen, inventory),
        enforced: from === 'environment',
      });
  }
  return { runnable, missing };
}

/** Returns the selected model of each surface; surfaces whose model cannot run here are left out. */
export const runnableModels = (choices: ModelChoices, inventory: Inventory): ModelSelection['runnable'] =>
  selectModels(choices, inventory).runnable;

/**
 * Describes what a selected model lacks to run here, who selected it and, for a default, which option needs consent.
 */
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
  const lack = `${model.id}${chooser} ${describeLack(model, inventory)}`;
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

function describeLack({ id, runtime }: ModelOption, inventory: Inventory): string {
  if (runtime === 'endpoint') return 'needs a vision endpoint: set ASSAY_VLM_URL and ASSAY_VLM_MODEL';
  const found = inventory.get(id);
  if (found?.installed === 'unusable')
    return `cannot be used: ${found.weights?.fault}; replace its files in ${found.weights?.folder} of the data folder, then run assay models pull ${id}`;
  if (found?.installed !== 'absent') return 'cannot run here';
  const folder = found.weights?.folder ?? '';
  const source = found.weights?.source ?? null;
  if (source === null) return `needs an .onnx file in ${folder} of the data folder: export it, then pull it`;
  const files = found.weights?.files.filter(({ present }) => !present).map(({ path }) => path) ?? [];
  return `is not installed: ${files.join(', ')} missing in ${folder} of the data folder; run assay models pull ${id}`;
}

/**
 * Returns a function that returns true if a model can run here: an endpoint if one is configured, an algorithm
 * always, else a model whose files are in place and not known to be unusable.
 */
export const createRunnablePredicate =
  (inventory: Inventory, { served }: Pick<ModelChoices, 'served'>) =>
  (model: ModelOption): boolean =>
    model.runtime === 'endpoint' ? served !== undefined : isRunnable(model, inventory);

/** Returns whether the files of a model are in place and not known to be unusable. Algorithms need none. */
function isRunnable({ id, runtime }: ModelOption, inventory: Inventory): boolean {
  if (runtime !== 'onnx' && runtime !== 'tfjs') return true;
  const state = inventory.get(id)?.installed;
  return state === 'installed' || state === 'files_present';
}

/** A model option that can run here. */
export interface RunnableModel extends ModelOption {
  /** Model name on the server, for an option of runtime `endpoint`. */
  readonly served?: string;
}
