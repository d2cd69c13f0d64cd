import { type ModelSurfaceId, modelSurfaceIds, type UseCaseId, type VisionEndpoint } from '#core/api';
import type { ModelOption, SurfaceRow } from './surface.ts';

type SurfaceChoice = Readonly<Partial<Record<ModelSurfaceId, string>>>;

/** Stored model choices. `project` is empty outside a project. */
export interface StoredChoices {
  readonly use_case: UseCaseId | null;
  /** As stored; see `readTenantModels`. */
  readonly tenant_models: unknown;
  readonly project: SurfaceChoice;
}

/** Operator settings. */
interface OperatorSettings {
  readonly environment_models?: SurfaceChoice;
  readonly vision_endpoint?: VisionEndpoint;
}

/** Combines the model choices of environment, project, tenant and use case in one object; nothing is selected yet. */
export const collectModelChoices = (
  { environment_models, vision_endpoint }: OperatorSettings,
  { use_case, tenant_models, project }: StoredChoices,
): ModelChoices => ({
  use_case,
  project,
  tenant: readTenantModels(tenant_models),
  environment: environment_models ?? {},
  ...(vision_endpoint !== undefined && { served: vision_endpoint.model }),
});

/**
 * Parses a tenant's stored model choices; omits unknown surfaces and values that are not text, and never throws.
 * Model ids are not checked.
 */
export function readTenantModels(stored: unknown): SurfaceChoice {
  if (typeof stored !== 'object' || stored === null) return {};
  const entries = new Map(Object.entries(stored));
  return Object.fromEntries(
    modelSurfaceIds.flatMap((id) => {
      const model = entries.get(id);
      return typeof model === 'string' ? [[id, model]] : [];
    }),
  );
}

type IsRunnable = (model: ModelOption) => boolean;

/** Model choices per level, lowest priority first. */
export interface ModelChoices {
  readonly use_case: UseCaseId | null;
  readonly tenant: Readonly<Partial<Record<ModelSurfaceId, string>>>;
  readonly project: Readonly<Partial<Record<ModelSurfaceId, string>>>;
  /** Set by the operator of the service; overrides all others. */
  readonly environment: Readonly<Partial<Record<ModelSurfaceId, string>>>;
  /** Model that the vision endpoint serves; absent without an endpoint. */
  readonly served?: string;
}

/** The selected model of a surface. */
export interface ChosenModel {
  readonly model: ModelOption;
  readonly from: 'default' | 'use_case' | 'tenant' | 'project' | 'environment';
  /** Choice of higher priority that was ignored because the surface has no such option; `null` if none. */
  readonly passed_over: string | null;
}

/**
 * Selects the model of a surface: the first choice of environment, project, tenant and use case that the surface
 * offers, else the default. Project and tenant choices count only if the surface is `selectable`; a skipped choice is
 * `passed_over`. The default is the first option that can run here and needs no consent, or the first one; a choice
 * at any level is consent.
 */
export function chooseModel(
  surface: SurfaceRow,
  choices: ModelChoices,
  isRunnable: IsRunnable = () => true,
): ChosenModel {
  const { environment, project, tenant, use_case } = choices;
  const candidates = [
    ['environment', environment[surface.id]],
    ['project', surface.selectable ? project[surface.id] : undefined],
    ['tenant', surface.selectable ? tenant[surface.id] : undefined],
    ['use_case', use_case === null ? undefined : surface.by_use_case[use_case]?.model],
  ] as const;
  let passed_over: string | null = null;
  for (const [from, choice] of candidates) {
    if (choice === undefined) continue;
    const model = surface.options.find(({ id }) => id === choice);
    if (model !== undefined) return { model, from, passed_over };
    passed_over ??= choice;
  }
  const isDefault = (option: ModelOption) => option.needs_consent === undefined && isRunnable(option);
  const model = surface.options.find(isDefault) ?? surface.options[0];
  return { model, from: 'default', passed_over };
}
