import type { ModelSurface } from '#contract';
import { chooseModel, type ModelWishes, type SurfaceRow, surfaces } from '#models';

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
