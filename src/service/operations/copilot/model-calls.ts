import type { CopilotModels } from '#core/api';
import {
  charge,
  computeTokenCost,
  isReservationOpen,
  type Purpose,
  release,
  reserve,
  type TokenPrices,
  type TokenUse,
} from '#engine/budget';
import type { CopilotProvider, Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';

const noRouterKey = 'no API key for the hosted router is set (ASSAY_OPENROUTER_KEY)';

/**
 * Returns the models of all providers of the copilot with their prices, and the provider and model that answer; without
 * providers, the reason.
 */
export async function getCopilotModels(store: Store, call: Call): Promise<CopilotModels> {
  requireRole(call, 'viewer');
  const providers = store.copilot_providers ?? [];
  const active = activeProvider(store);
  return {
    active: active === null ? null : { provider: active.id, model: active.models[0] },
    key_configured: providers.some(({ id }) => id === 'openrouter'),
    degraded: active === null,
    reason: explainProvider(active),
    items: providers.flatMap((provider) =>
      provider.models.map((model) => ({
        ...{ provider: provider.id, model, available: provider === active },
        active: provider === active && model === active.models[0],
        ...modelPrices(store, model),
      })),
    ),
  };
}

/** Returns the provider that answers for the copilot, the first configured one; null if none is. */
export const activeProvider = ({ copilot_providers: providers = [] }: Store): CopilotProvider | null =>
  providers[0] ?? null;

/** Returns why the hosted router does not answer the copilot; null if it does. */
export function explainProvider(active: CopilotProvider | null): string | null {
  if (active === null) return `${noRouterKey}, and no secondary provider (ASSAY_COPILOT_URL)`;
  return active.id === 'openrouter' ? null : `${noRouterKey}; the secondary provider is used`;
}

/**
 * Prices in US dollars per million tokens for models that the price list does not know, unless it has
 * `unlisted_models`. Higher than most models cost, so that reservations are not too small.
 */
const assumedPrices: TokenPrices = { prompt_usd_per_mtok: 15, completion_usd_per_mtok: 75 };

type ModelPrices = Pick<CopilotModels['items'][number], 'prices' | 'charged_prices' | 'priced_by'>;

/** Returns the prices of a model, of whichever provider. */
function modelPrices({ prices: list }: Store, model: string): ModelPrices {
  const models = list?.models ?? {};
  if (!Object.hasOwn(models, model))
    return { prices: null, charged_prices: list?.unlisted_models ?? assumedPrices, priced_by: 'fallback' };
  return { prices: models[model], charged_prices: models[model], priced_by: 'price_list' };
}

/** A model call with reserved budget. */
export interface ReservedCall {
  readonly reservation_id: string;
  readonly purpose: Purpose;
  readonly model: string;
}

/** A planned model call. */
interface ModelCallEstimate {
  readonly purpose: Purpose;
  readonly model: string;
  /** Upper bound of the tokens. */
  readonly tokens: TokenUse;
}

/** Reserves budget for one model call before it is made, and returns the reservation. Throws `budget_exceeded`. */
export async function reserveModelCall(
  store: Store,
  call: Call,
  { purpose, model, tokens }: ModelCallEstimate,
): Promise<ReservedCall> {
  const till = { store, scope: scopeOf(store, call), now: new Date() };
  const { charged_prices } = modelPrices(store, model);
  const reservation_id = await reserve(till, purpose, computeTokenCost(charged_prices, tokens));
  return { reservation_id, purpose, model };
}

/** Measured use of a finished model call. */
interface MeasuredCall {
  readonly tokens: TokenUse;
  /** Cost that the provider reports; null if it reports none. */
  readonly cost_usd: number | null;
  readonly compute_s: number;
}

/** Cost that was charged for a model call, and the source of its price. */
interface ChargedCall {
  readonly cost_usd: number;
  readonly priced_by: 'provider' | 'price_list' | 'fallback';
}

/**
 * Charges a finished call, also above its reservation or after that expired, releases the rest of the reservation and returns
 * what was charged and by which prices.
 */
export async function settleModelCall(
  store: Store,
  call: Call,
  reserved: ReservedCall,
  { tokens, cost_usd, compute_s }: MeasuredCall,
): Promise<ChargedCall> {
  const till = { store, scope: scopeOf(store, call), now: new Date() };
  const { charged_prices, priced_by } = modelPrices(store, reserved.model);
  const amount_usd = cost_usd ?? computeTokenCost(charged_prices, tokens);
  await store.database.transaction(async () => {
    const measured = { layer: 'copilot', model: reserved.model, compute_s, amount_usd };
    // The reservation may have expired if the process was suspended for long.
    const isOpen = await isReservationOpen(till, reserved.reservation_id);
    await charge(till, reserved.purpose, isOpen ? reserved.reservation_id : null, measured);
    await release(till, reserved.reservation_id);
  });
  return { cost_usd: amount_usd, priced_by: cost_usd === null ? priced_by : 'provider' };
}
