import { expect, it } from 'vitest';
import type { JsonObject } from '#core';
import { episodeOf } from '#test/annotation/known-motion';
import { signalContext } from '#test/annotation/lane-episodes';
import { runLayer } from '../../layer-registry.ts';
import { annotationReview } from './layer.ts';

const span = (from_s: number, to_s: number) => ({
  ...{ kind: 'move', from_s, to_s, begins: null, grippers: [], most_moved: null, speed: null },
});
const review = (artifacts: Record<string, JsonObject>) =>
  runLayer(annotationReview, episodeOf([], 'teleop', 10), {
    ...signalContext({}),
    output: async (layer) => artifacts[layer] ?? null,
  });

it('judges what layers say by tests alone where no endpoint is set', async () => {
  const segments = { from_s: 0, to_s: 10, reason: null, grippers: [], segments: [span(0, 4), span(5, 10)] };
  const { parts } = await review({ segments });
  expect(parts[0].json).toMatchObject({
    layers: [{ layer: 'segments', verdict: 'bad', evidence: [{ test: 'segments_cover_episode', wrong: 1 }] }],
    model: null,
    reason: null,
  });
});

it('says so where there is nothing to review', async () => {
  const { parts, quality } = await review({});
  expect(parts[0].json).toMatchObject({ layers: [], reason: 'the episode has no annotations' });
  expect(quality).toBeNull();
});
