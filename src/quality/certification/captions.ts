import type { CaptionWindow, EpisodeEvidence } from './metric.ts';

/** Returns the caption windows of an episode (at least one), or the reason why there are none. */
export function readCaptions({
  annotations,
}: EpisodeEvidence): { readonly windows: readonly CaptionWindow[] } | { readonly reason: string } {
  const windows = annotations?.captions ?? null;
  if (windows === null) return { reason: 'the episode has no captions layer' };
  return windows.length === 0 ? { reason: 'the captions layer has no caption windows' } : { windows };
}
