import { messageOf } from '#core';
import type { LayerId } from '#core/api';
import { reviewTests } from './review-registry.ts';
import type { ReviewedEpisode } from './review-test.ts';
import type { Evidence, LayerReview, NotHeld, ReviewVerdict } from './verdict.ts';

/** From this share of what a test looked at on, the layer is bad. */
const badFrom = 0.5;

/** What a model that sees frames says of a layer; or why it was not asked, or could not tell. */
export type SeenInFrames = { readonly evidence: Omit<Evidence, 'test'> } | { readonly not_held: string };

const seenTest = 'seen_in_frames';

/**
 * Holds every layer that an episode carries against the tests of that layer, and what was seen in frames, where somebody
 * looked. No verdict is without evidence.
 */
export function reviewEpisode(
  episode: ReviewedEpisode,
  seen: Readonly<Partial<Record<LayerId, SeenInFrames>>> = {},
): readonly LayerReview[] {
  const layers = (Object.keys(episode.artifacts) as LayerId[]).sort();
  return layers.map((layer) => reviewLayer(layer, episode, seen[layer]));
}

function reviewLayer(layer: LayerId, episode: ReviewedEpisode, seen: SeenInFrames | undefined): LayerReview {
  const artifact = episode.artifacts[layer]!;
  const evidence: Evidence[] = [];
  const not_held: NotHeld[] = [];
  const own = reviewTests.filter((test) => test.layer === layer);
  for (const { id, run } of own) {
    try {
      const found = run(artifact, episode);
      if (typeof found === 'string') not_held.push({ test: id, reason: found });
      else evidence.push({ test: id, ...found });
    } catch (thrown) {
      not_held.push({ test: id, reason: `the artifact cannot be read: ${messageOf(thrown).slice(0, 200)}` });
    }
  }
  if (seen !== undefined && 'evidence' in seen) evidence.push({ test: seenTest, ...seen.evidence });
  else if (seen !== undefined) not_held.push({ test: seenTest, reason: seen.not_held });
  if (own.length === 0 && evidence.length === 0)
    not_held.push({ test: 'none', reason: `no test of ${layer} is there` });
  return { layer, verdict: verdictOf(evidence), evidence, not_held };
}

function verdictOf(evidence: readonly Evidence[]): ReviewVerdict {
  if (evidence.length === 0) return 'not_assessable';
  const worst = Math.max(...evidence.map(({ wrong, looked_at }) => wrong / looked_at));
  if (worst === 0) return 'good';
  return worst >= badFrom ? 'bad' : 'needs_work';
}
