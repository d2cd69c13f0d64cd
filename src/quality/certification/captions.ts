import type { MetricBounds } from '#core/api';
import type { CaptionWindow, EpisodeEvidence } from './metric.ts';

type Captions = { readonly windows: readonly CaptionWindow[] } | { readonly reason: string };

/** Returns the caption windows of an episode (at least one), or the reason why there are none. */
export function readCaptions({ annotations }: EpisodeEvidence): Captions {
  const windows = annotations?.captions ?? null;
  const why = annotations?.captions_reason ?? null;
  if (windows === null)
    return {
      reason: why === null ? 'the episode has no captions layer' : `captions were not produced: ${why}`,
    };
  return windows.length === 0 ? { reason: 'the captions layer has no caption windows' } : { windows };
}

/** Returns the caption windows if the policy requires captions, or the reason why they are not judged. */
export function readRequiredCaptions(evidence: EpisodeEvidence, need: MetricBounds['need']): Captions {
  const captions = readCaptions(evidence);
  if ('reason' in captions || need === 'required') return captions;
  return { reason: 'the captions were generated, and the policy does not require this metric' };
}
