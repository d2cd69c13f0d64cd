import type { ModelRegistry, ModelSurface, UseCaseId } from '#core/api';
import {
  chooseModel,
  type Inventory,
  type ModelOption,
  type ModelWishes,
  modelWishes,
  readTenantModels,
  recentInventory,
  runnableHere,
  type SurfaceRow,
  surfaces,
} from '#labels/models';
import type { Store } from '#store';

/** The registry as it is answered where nobody asks for a project. */
export async function registryView(
  store: Pick<Store, 'data_folder' | 'environment_models' | 'vision_endpoint'>,
  tenant_models: unknown,
  use_case: UseCaseId | null,
): Promise<ModelRegistry> {
  const inventory = await recentInventory(store.data_folder);
  const wishes = modelWishes(store, { use_case, tenant_models, project: {} });
  const items = surfacesView(wishes, inventory).map((surface) => ({
    ...surface,
    options: surface.options.map((option) => {
      const weights = inventory.get(option.id)?.weights ?? null;
      return weights === null ? option : { ...option, weights };
    }),
  }));
  return { items, tenant_models: { ...readTenantModels(tenant_models) } };
}

/** Every surface with the model in effect, and whether each could be run here. */
export const surfacesView = (wishes: ModelWishes, inventory: Inventory): ModelSurface[] =>
  surfaces.rows.map((surface) => surfaceView(surface, wishes, inventory));

function surfaceView(surface: SurfaceRow, wishes: ModelWishes, inventory: Inventory): ModelSurface {
  const { model, from, passed_over } = chooseModel(surface, wishes, runnableHere(inventory, wishes));
  return {
    id: surface.id,
    title: surface.title,
    selectable: surface.selectable,
    chosen: { model: model.id, from, passed_over },
    options: surface.options.map((option) => optionView(option, inventory)),
    rejected: surface.rejected.map((rival) => ({ ...rival, evidence: [...rival.evidence] })),
  };
}

function optionView(
  { weights: _, bundled: __, contract: ___, ...option }: ModelOption,
  inventory: Inventory,
): ModelSurface['options'][number] {
  const installed = inventory.get(option.id)?.installed ?? 'absent';
  return { ...option, evidence: [...option.evidence], installed };
}
