export { answered } from './answered.ts';
export type { Change, FixOptions, FixPlan, Unfixed } from './fix.ts';
export { type FixPlace, fixPlace } from './fix-place.ts';
export { applyPlan } from './journal/apply.ts';
export { copyOut, demandApart } from './journal/copy-out.ts';
export { journalFolder } from './journal/files.ts';
export { withLock } from './journal/lock.ts';
export { type Recovered, recover, tidy, undoLast } from './journal/recover.ts';
export { planFixes } from './plan-fixes.ts';
