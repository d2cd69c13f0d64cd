export type { Change, FixOptions, FixPlan, Unfixed } from '../shared/fix/fix.ts';
export { applyPlan } from '../shared/fix/journal/apply.ts';
export { copyOut, demandApart } from '../shared/fix/journal/copy-out.ts';
export { journalFolder } from '../shared/fix/journal/files.ts';
export { withLock } from '../shared/fix/journal/lock.ts';
export { type Recovered, recover, tidy, undoLast } from '../shared/fix/journal/recover.ts';
export { answered } from './answered.ts';
export { type FixPlace, fixPlace } from './fix-place.ts';
export { planFixes } from './plan-fixes.ts';
