import type { ModelSurfaceId, UseCaseId } from '#core/api';
import type { ModelOption, SurfaceRow } from './surface.ts';

type IsRunnable = (surface: SurfaceRow, model: ModelOption) => boolean;

/** Who may choose a model, the one whose word counts last first. */
export interface ModelWishes {
  readonly use_case: UseCaseId | null;
  readonly tenant: Readonly<Partial<Record<ModelSurfaceId, string>>>;
  readonly project: Readonly<Partial<Record<ModelSurfaceId, string>>>;
  /** What whoever runs the service has set; it wins over everybody. */
  readonly environment: Readonly<Partial<Record<ModelSurfaceId, string>>>;
  /** The model that the vision endpoint serves; absent: there is no endpoint. */
  readonly served?: string;
}

export interface ChosenModel {
  readonly model: ModelOption;
  readonly from: 'default' | 'use_case' | 'tenant' | 'project' | 'environment';
  /** A wish that counts for more and names no option of the surface, and so was passed over. */
  readonly passed_over: string | null;
}

/**
 * The model of a surface: its default, unless the use case, the tenant, the project or the environment say otherwise. The
 * default is the first option that can be run here, or the first of all where none can.
 */
export function chooseModel(
  surface: SurfaceRow,
  wishes: ModelWishes,
  isRunnable: IsRunnable = () => true,
): ChosenModel {
  const { environment, project, tenant, use_case } = wishes;
  const words = [
    ['environment', environment[surface.id]],
    ['project', surface.selectable ? project[surface.id] : undefined],
    ['tenant', surface.selectable ? tenant[surface.id] : undefined],
    ['use_case', use_case === null ? undefined : surface.by_use_case[use_case]?.model],
  ] as const;
  let passed_over: string | null = null;
  for (const [from, wish] of words) {
    if (wish === undefined) continue;
    const model = surface.options.find(({ id }) => id === wish);
    if (model !== undefined) return { model, from, passed_over };
    passed_over ??= wish;
  }
  const model = surface.options.find((option) => isRunnable(surface, option)) ?? surface.options[0];
  return { model, from: 'default', passed_over };
}
