import type { CopilotModels } from '#core/api';
import {
  charge,
  computeModelTokenCost,
  isReservationOpen,
  type Purpose,
  release,
  reserve,
  type TokenUse,
} from '#engine/budget';
import type { CopilotProvider, Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';

const noRouterKey = 'no API key for the hosted router is set (ASSAY_OPENROUTER_KEY)';

/** Lists the copilot's models with prices and the one that answers. */
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
        prices: findPrices(store, model),
      })),
    ),
  };
}

/** Returns the provider that answers for the copilot, the first configured one; null if none is. */
export const activeProvider = ({ copilot_providers: providers = [] }: Store): CopilotProvider | null =>
  providers[0] ?? null;

/** Returns why the hosted router does not answer; null if it does. */
export function explainProvider(active: CopilotProvider | null): string | null {
  if (active === null) return `${noRouterKey}, and no secondary provider (ASSAY_COPILOT_URL)`;
  return active.id === 'openrouter' ? null : `${noRouterKey}; the secondary provider is used`;
}

function findPrices({ prices }: Store, model: string): CopilotModels['items'][number]['prices'] {
  const models = prices?.models ?? {};
  return Object.hasOwn(models, model) ? models[model] : null;
}

/**
 * Prices in US dollars per million tokens for hosted models that the price list does not know. Higher than most
 * models cost, so that reservations are not too small.
 */
const assumedPrices = { prompt_usd_per_mtok: 15, completion_usd_per_mtok: 75 };

/** A model call with reserved budget. */
export interface ReservedCall {
  readonly reservation_id: string;
  readonly purpose: Purpose;
  readonly model: string;
  readonly hosted: boolean;
}

/** A planned model call. */
interface ModelCallEstimate {
  readonly purpose: Purpose;
  readonly provider: CopilotProvider;
  readonly model: string;
  /** Upper bound of the tokens. */
  readonly tokens: TokenUse;
}

/** Reserves budget for one model call before it is made. Throws `budget_exceeded`. */
export async function reserveModelCall(
  store: Store,
  call: Call,
  { purpose, provider, model, tokens }: ModelCallEstimate,
): Promise<ReservedCall> {
  const hosted = provider.id === 'openrouter';
  const till = { store, scope: scopeOf(store, call), now: new Date() };
  const reservation_id = await reserve(till, purpose, computeCallCost(store, { model, hosted }, tokens));
  return { reservation_id, purpose, model, hosted };
}

/** Measured use of a finished model call. */
interface MeasuredCall {
  readonly tokens: TokenUse;
  /** Cost that the provider reports; null if it reports none. */
  readonly cost_usd: number | null;
  readonly compute_s: number;
}

/** Charges a finished call, also above its reservation or after that expired, releases the rest of the reservation and returns the cost in US dollars. */
export async function settleModelCall(
  store: Store,
  call: Call,
  reserved: ReservedCall,
  { tokens, cost_usd, compute_s }: MeasuredCall,
): Promise<number> {
  const till = { store, scope: scopeOf(store, call), now: new Date() };
  const amount_usd = cost_usd ?? computeCallCost(store, reserved, tokens);
  await store.database.transaction(async () => {
    const measured = { layer: 'copilot', model: reserved.model, compute_s, amount_usd };
    // The reservation may have expired if the process was suspended for long.
    const isOpen = await isReservationOpen(till, reserved.reservation_id);
    await charge(till, reserved.purpose, isOpen ? reserved.reservation_id : null, measured);
    await release(till, reserved.reservation_id);
  });
  return amount_usd;
}

function computeCallCost(
  { prices }: Store,
  { model, hosted }: Pick<ReservedCall, 'model' | 'hosted'>,
  tokens: TokenUse,
): number {
  if (!hosted || Object.hasOwn(prices?.models ?? {}, model))
    return computeModelTokenCost(prices, model, tokens);
  const { prompt_usd_per_mtok, completion_usd_per_mtok } = assumedPrices;
  return (
    (tokens.prompt_tokens * prompt_usd_per_mtok + tokens.completion_tokens * completion_usd_per_mtok) / 1e6
  );
}
