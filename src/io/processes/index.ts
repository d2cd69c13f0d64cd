export { addHelperTime, computeTime_ms, mediaTime_ms, processTime_ms } from './compute-time.ts';
export { type ChildEnd, GuardedChild } from './guarded-child.ts';
export type { ChildLimits } from './limits.ts';
export { beginRequest, endRequest, reportProgress, startWatchdog } from './watched-process.ts';
