import { type ComputeDevice, flatPrices, type PriceList } from '#core/api';

const zeroPrices = flatPrices(0);

/**
 * Returns US dollars per second of computing for a layer (or `readiness`) by the most specific price: of the layer on the
 * device, the layer, the device, or the default; 0 without a price list.
 */
export function findPrice(prices: PriceList | undefined, layer: string, device: ComputeDevice): number {
  const { compute_usd_per_s, devices, layers } = prices ?? zeroPrices;
  const own = new Map(Object.entries(layers)).get(layer);
  return own?.[device] ?? own?.compute_usd_per_s ?? devices[device] ?? compute_usd_per_s;
}

/** Tokens as counted by a model server. */
export interface TokenUse {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

/** Prices in US dollars per million tokens. */
export type TokenPrices = PriceList['models'][string];

const noPrices: TokenPrices = { prompt_usd_per_mtok: 0, completion_usd_per_mtok: 0 };

/**
 * Returns the token prices of the first of a model's names that the list has, else those of unlisted models; zero prices
 * without names or a list.
 */
export function findTokenPrices(prices: PriceList | undefined, ...names: readonly string[]): TokenPrices {
  if (names.length === 0) return noPrices;
  const { models, unlisted_models = noPrices } = prices ?? zeroPrices;
  const listed = names.find((name) => Object.hasOwn(models, name));
  return listed === undefined ? unlisted_models : models[listed];
}

/** Returns the cost in US dollars of tokens at given prices. */
export const computeTokenCost = (
  { prompt_usd_per_mtok, completion_usd_per_mtok }: TokenPrices,
  used: TokenUse,
): number =>
  (used.prompt_tokens * prompt_usd_per_mtok + used.completion_tokens * completion_usd_per_mtok) / 1e6;
