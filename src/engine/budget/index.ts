export { estimateView, estimateWork, layerWork, type PlannedWork } from './estimates.ts';
export {
  ceilUsd,
  charge,
  extendReservation,
  isReservationOpen,
  type LedgerContext,
  type Purpose,
  release,
  reportThreshold,
  reserve,
  roundUsd,
  window_days,
  windowStart,
} from './ledger.ts';
export {
  computeTokenCost,
  findPrice,
  findTokenPrices,
  type TokenPrices,
  type TokenUse,
} from './prices.ts';
