export { charge, extendReservation, isHeld, type Purpose, release, reserve, type Till } from './ledger.ts';
export { usd, usdUp, window_days, windowStart } from './money.ts';
export {
  priceOf,
  type TokenPrices,
  type TokenUse,
  tokenCost,
  tokenPricesOf,
  tokensCost,
} from './prices.ts';
