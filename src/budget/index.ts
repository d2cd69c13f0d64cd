export { charge, extendReservation, isHeld, type Purpose, release, reserve, type Till } from './ledger.ts';
export { usd, usdUp, window_days, windowStart } from './money.ts';
export { priceOf, type TokenUse, tokenCost } from './prices.ts';
