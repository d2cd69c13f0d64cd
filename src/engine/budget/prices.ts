import { type ComputeDevice, flatPrices, type PriceList } from '#core/api';

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

/** US dollars for a million tokens. */
export type TokenPrices = PriceList['models'][string];

const noPrices: TokenPrices = { prompt_usd_per_mtok: 0, completion_usd_per_mtok: 0 };

/** What tokens of a model cost; the first of its names that the list has a price for counts, and without one nothing. */
export function tokenPricesOf(prices: PriceList | undefined, ...names: readonly string[]): TokenPrices {
  const { models } = prices ?? free;
  const known = names.find((name) => Object.hasOwn(models, name));
  return known === undefined ? noPrices : models[known];
}

/** US dollars for tokens at a price. */
export const tokensCost = (
  { prompt_usd_per_mtok, completion_usd_per_mtok }: TokenPrices,
  used: TokenUse,
): number =>
  (used.prompt_tokens * prompt_usd_per_mtok + used.completion_tokens * completion_usd_per_mtok) / 1e6;

/** US dollars for tokens of a model; 0 where the list has no price for it. */
export const tokenCost = (prices: PriceList | undefined, model: string, used: TokenUse): number =>
  tokensCost(tokenPricesOf(prices, model), used);
