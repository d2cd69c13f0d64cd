import type { LayerId } from '#contract';
import { messageOf } from '#kernel';
import { reviewTests } from './review-registry.ts';
import type { ReviewedEpisode } from './review-test.ts';
import type { Evidence, LayerReview, NotHeld, ReviewVerdict } from './verdict.ts';

/** From this share of what a test looked at on, the layer is bad. */
const badFrom = 0.5;

/** Holds every layer that an episode carries against the tests of that layer. No verdict is without evidence. */
export function reviewEpisode(episode: ReviewedEpisode): readonly LayerReview[] {
  return (Object.keys(episode.artifacts) as LayerId[]).sort().map((layer) => reviewLayer(layer, episode));
}

function reviewLayer(layer: LayerId, episode: ReviewedEpisode): LayerReview {
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
  if (own.length === 0) not_held.push({ test: 'none', reason: `no test of ${layer} is there` });
  return { layer, verdict: verdictOf(evidence), evidence, not_held };
}

function verdictOf(evidence: readonly Evidence[]): ReviewVerdict {
  if (evidence.length === 0) return 'not_assessable';
  const worst = Math.max(...evidence.map(({ wrong, looked_at }) => wrong / looked_at));
  if (worst === 0) return 'good';
  return worst >= badFrom ? 'bad' : 'needs_work';
}
