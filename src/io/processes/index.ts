export { advance, begin, idle } from './child/progress.ts';
export { underWatch } from './child/under-watch.ts';
export { type ChildEnd, GuardedChild } from './guarded-child.ts';
export type { ChildLimits } from './limits.ts';
