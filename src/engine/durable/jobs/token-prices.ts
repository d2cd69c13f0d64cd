import type { PriceList } from '#core/api';
import { namedModel } from '#labels/models';
import { type TokenPrices, tokenPricesOf } from '../../budget/prices.ts';

/**
 * What tokens of the models that a layer asks cost: by the name that the endpoint serves one under, else by the option of
 * the registry.
 */
export function tokenPricesFor(prices: PriceList | undefined, models: readonly string[]): TokenPrices {
  const asked = models.map(namedModel).find(({ served }) => served !== null);
  return tokenPricesOf(prices, ...(asked === undefined ? [] : [asked.served!, asked.id]));
}
