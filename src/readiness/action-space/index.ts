export { ActionSpaceStatistics } from './diagnose.ts';
export type { SignalEpisode } from './signals.ts';
