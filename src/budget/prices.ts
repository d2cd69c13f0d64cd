import { type ComputeDevice, flatPrices, type PriceList } from '#contract';

const free = flatPrices(0);

/**
 * US dollars a second of computing for a layer (or `readiness`) on a device. The most exact word counts: the layer's on
 * that device, the layer's, the device's, the list's.
 */
export function priceOf(prices: PriceList | undefined, layer: string, device: ComputeDevice): number {
  const { compute_usd_per_s, devices, layers } = prices ?? free;
  const own = new Map(Object.entries(layers)).get(layer);
  return own?.[device] ?? own?.compute_usd_per_s ?? devices[device] ?? compute_usd_per_s;
}

/** Tokens as a model's server counts them. */
export interface TokenUse {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

/** US dollars for tokens of a model; 0 where the list has no price for it. */
export function tokenCost(prices: PriceList | undefined, model: string, used: TokenUse): number {
  const { models } = prices ?? free;
  const price = Object.hasOwn(models, model) ? models[model] : undefined;
  if (price === undefined) return 0;
  const { prompt_usd_per_mtok, completion_usd_per_mtok } = price;
  return (used.prompt_tokens * prompt_usd_per_mtok + used.completion_tokens * completion_usd_per_mtok) / 1e6;
}
