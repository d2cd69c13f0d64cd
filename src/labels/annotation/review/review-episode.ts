import { messageOf } from '#core';
import type { LayerId } from '#core/api';
import { reviewTests } from './review-registry.ts';
import type { Evidence, LayerReview, ReviewedEpisode, ReviewVerdict, SkippedTest } from './review-test.ts';

/** Fraction of failed items from which a layer is `bad`. */
const minBadFraction = 0.5;

/** Evidence from comparing a layer with frames, or the reason why there is none. */
export type FrameEvidence = { readonly evidence: Omit<Evidence, 'test'> } | { readonly not_held: string };

const frameTestId = 'seen_in_frames';

/**
 * Reviews each layer of an episode, in order of id, by its tests and by the evidence from frames, if given; a layer
 * without evidence is `not_assessable`.
 */
export function reviewEpisode(
  episode: ReviewedEpisode,
  frameEvidence: Readonly<Partial<Record<LayerId, FrameEvidence>>> = {},
): readonly LayerReview[] {
  const layers = (Object.keys(episode.artifacts) as LayerId[]).sort();
  return layers.map((layer) => reviewLayer(layer, episode, frameEvidence[layer]));
}

function reviewLayer(
  layer: LayerId,
  episode: ReviewedEpisode,
  frameEvidence: FrameEvidence | undefined,
): LayerReview {
  const artifact = episode.artifacts[layer]!;
  const evidence: Evidence[] = [];
  const not_held: SkippedTest[] = [];
  const tests = reviewTests.filter((test) => test.layer === layer);
  for (const { id, run } of tests) {
    try {
      const found = run(artifact, episode);
      if (typeof found === 'string') not_held.push({ test: id, reason: found });
      else evidence.push({ test: id, ...found });
    } catch (thrown) {
      not_held.push({ test: id, reason: `cannot read the artifact: ${messageOf(thrown).slice(0, 200)}` });
    }
  }
  if (frameEvidence !== undefined && 'evidence' in frameEvidence)
    evidence.push({ test: frameTestId, ...frameEvidence.evidence });
  else if (frameEvidence !== undefined) not_held.push({ test: frameTestId, reason: frameEvidence.not_held });
  if (tests.length === 0 && evidence.length === 0)
    not_held.push({ test: 'none', reason: `no tests exist for ${layer}` });
  return { layer, verdict: computeVerdict(evidence), evidence, not_held };
}

function computeVerdict(evidence: readonly Evidence[]): ReviewVerdict {
  if (evidence.length === 0) return 'not_assessable';
  const worst = Math.max(...evidence.map(({ wrong, looked_at }) => wrong / looked_at));
  if (worst === 0) return 'good';
  return worst >= minBadFraction ? 'bad' : 'needs_work';
}
