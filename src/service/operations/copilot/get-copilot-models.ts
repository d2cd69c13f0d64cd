import type { CopilotModels } from '#core/api';
import type { CopilotProvider, Store } from '#store';
import { type Call, requireRole } from '../call.ts';

const noKey = 'no key of the hosted router is set (ASSAY_OPENROUTER_KEY)';

/** Which models there are for the copilot, and which one answers. */
export async function getCopilotModels(store: Store, call: Call): Promise<CopilotModels> {
  requireRole(call, 'viewer');
  const providers = store.copilot_providers ?? [];
  const active = activeProvider(store);
  return {
    active: active === null ? null : { provider: active.id, model: active.models[0] },
    key_configured: providers.some(({ id }) => id === 'openrouter'),
    degraded: active === null,
    reason: reasonOf(active),
    items: providers.flatMap((provider) =>
      provider.models.map((model) => ({
        ...{ provider: provider.id, model, available: provider === active },
        active: provider === active && model === active.models[0],
        prices: pricesOf(store, model),
      })),
    ),
  };
}

/** Who answers for the copilot; null: nobody. */
export const activeProvider = ({ copilot_providers: providers = [] }: Store): CopilotProvider | null =>
  providers[0] ?? null;

/** Why another than the hosted router answers; null where it does. */
export function reasonOf(active: CopilotProvider | null): string | null {
  if (active === null) return `${noKey}, and no second provider (ASSAY_COPILOT_URL)`;
  return active.id === 'openrouter' ? null : `${noKey}: the second provider answers`;
}

function pricesOf({ prices }: Store, model: string): CopilotModels['items'][number]['prices'] {
  const models = prices?.models ?? {};
  return Object.hasOwn(models, model) ? models[model] : null;
}
