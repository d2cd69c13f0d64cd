import { charge, isHeld, type Purpose, release, reserve, type TokenUse, tokenCost } from '#engine/budget';
import type { CopilotProvider, Store } from '#store';
import { type Call, scopeOf } from '../call.ts';

/**
 * US dollars for a million tokens of a hosted model that the price list does not know: more than most cost, since a
 * reservation must not be too small.
 */
const assumed = { prompt_usd_per_mtok: 15, completion_usd_per_mtok: 75 };

/** One call of a model that money was put aside for. */
export interface ReservedCall {
  readonly reservation_id: string;
  readonly purpose: Purpose;
  readonly model: string;
  readonly hosted: boolean;
}

export interface ModelCallEstimate {
  readonly purpose: Purpose;
  readonly provider: CopilotProvider;
  readonly model: string;
  /** At most. */
  readonly tokens: TokenUse;
}

/** Puts money aside for one call of a model, before it is made. Throws `budget_exceeded`. */
export async function reserveModelCall(
  store: Store,
  call: Call,
  { purpose, provider, model, tokens }: ModelCallEstimate,
): Promise<ReservedCall> {
  const hosted = provider.id === 'openrouter';
  const till = { store, scope: scopeOf(store, call), now: new Date() };
  const reservation_id = await reserve(till, purpose, costOf(store, { model, hosted }, tokens));
  return { reservation_id, purpose, model, hosted };
}

export interface MeasuredCall {
  readonly tokens: TokenUse;
  /** As the provider says; null: it does not. */
  readonly cost_usd: number | null;
  readonly compute_s: number;
}

/** Charges what a call took and gives back what is left of its reservation. Answers the cost in US dollars. */
export async function settleModelCall(
  store: Store,
  call: Call,
  reserved: ReservedCall,
  { tokens, cost_usd, compute_s }: MeasuredCall,
): Promise<number> {
  const till = { store, scope: scopeOf(store, call), now: new Date() };
  const amount_usd = cost_usd ?? costOf(store, reserved, tokens);
  await store.database.transaction(async () => {
    const measured = { layer: 'copilot', model: reserved.model, compute_s, amount_usd };
    // A process that was asleep for longer than any call takes finds its reservation gone.
    const held = await isHeld(till, reserved.reservation_id);
    await charge(till, reserved.purpose, held ? reserved.reservation_id : null, measured);
    await release(till, reserved.reservation_id);
  });
  return amount_usd;
}

function costOf(
  { prices }: Store,
  { model, hosted }: Pick<ReservedCall, 'model' | 'hosted'>,
  tokens: TokenUse,
): number {
  if (!hosted || Object.hasOwn(prices?.models ?? {}, model)) return tokenCost(prices, model, tokens);
  const { prompt_usd_per_mtok, completion_usd_per_mtok } = assumed;
  return (
    (tokens.prompt_tokens * prompt_usd_per_mtok + tokens.completion_tokens * completion_usd_per_mtok) / 1e6
  );
}
