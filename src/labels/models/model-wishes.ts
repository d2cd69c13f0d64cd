import { type ModelSurfaceId, modelSurfaceIds, type UseCaseId, type VisionEndpoint } from '#core/api';
import type { ModelWishes } from './choose-model.ts';

type Choice = Readonly<Partial<Record<ModelSurfaceId, string>>>;

/** Whoever may choose models for something: a project's own word is `project`, empty where nobody asks for a project. */
export interface WhoChooses {
  readonly use_case: UseCaseId | null;
  /** As it is stored; see `readTenantModels`. */
  readonly tenant_models: unknown;
  readonly project: Choice;
}

/** What whoever runs the service has set. */
interface Operator {
  readonly environment_models?: Choice;
  readonly vision_endpoint?: VisionEndpoint;
}

/** Everybody's word on models, that of whoever runs the service included. */
export const modelWishes = (
  { environment_models, vision_endpoint }: Operator,
  { use_case, tenant_models, project }: WhoChooses,
): ModelWishes => ({
  use_case,
  project,
  tenant: readTenantModels(tenant_models),
  environment: environment_models ?? {},
  ...(vision_endpoint !== undefined && { served: vision_endpoint.model }),
});

/** What a tenant has stored, as far as it means anything; nothing throws. */
export function readTenantModels(stored: unknown): Choice {
  if (typeof stored !== 'object' || stored === null) return {};
  const said = new Map(Object.entries(stored));
  return Object.fromEntries(
    modelSurfaceIds.flatMap((id) => {
      const model = said.get(id);
      return typeof model === 'string' ? [[id, model]] : [];
    }),
  );
}
