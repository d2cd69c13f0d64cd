import type { ModelRegistry, ModelSurface, UseCaseId } from '#contract';
import { chooseModel, type ModelWishes, type SurfaceRow, surfaces } from '#models';
import type { Store } from '#store';
import { modelWishes, readTenantModels } from './model-wishes.ts';

/** The registry as it is answered where nobody asks for a project. */
export function registryView(
  store: Store,
  tenant_models: unknown,
  use_case: UseCaseId | null,
): ModelRegistry {
  return {
    items: surfacesView(modelWishes(store, { use_case, tenant_models, project: {} })),
    tenant_models: { ...readTenantModels(tenant_models) },
  };
}

/** Every surface with the model in effect. */
export const surfacesView = (wishes: ModelWishes): ModelSurface[] =>
  surfaces.rows.map((surface) => surfaceView(surface, wishes));

function surfaceView(surface: SurfaceRow, wishes: ModelWishes): ModelSurface {
  const { model, from, passed_over } = chooseModel(surface, wishes);
  return {
    id: surface.id,
    title: surface.title,
    selectable: surface.selectable,
    chosen: { model: model.id, from, passed_over },
    options: surface.options.map((option) => ({ ...option, evidence: [...option.evidence] })),
    rejected: surface.rejected.map((rival) => ({ ...rival, evidence: [...rival.evidence] })),
  };
}
