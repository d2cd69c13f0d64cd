import { expect, it } from 'vitest';
import { episodeOf } from '#test/annotation/known-motion';
import { signalContext } from '#test/annotation/lane-episodes';
import { framesOf, plainFrame } from '#test/support/lane-frames';
import { layerOf, runLayer } from '../../layer-registry.ts';

/** Ten frames of a second of one plain picture. */
const frames = Array.from({ length: 20 }, (_, row) => ({
  ...plainFrame(row, [90, 90, 90]),
  time_s: row / 10,
}));

it('follows what object labels saw, without a model, and says who saw it', async () => {
  const labels = frames.map(({ camera, row, time_s }) => ({
    ...{ camera, row, time_s, width_px: 128, height_px: 96 },
    boxes: [{ label: 'cup', score: 0.9, box: [10 + row, 20, 30, 30] }],
  }));
  const output = await runLayer(layerOf('tracks'), episodeOf([], 'egocentric', 2), {
    ...signalContext({}),
    frames: framesOf(frames),
    output: async (layer) => (layer === 'object_labels' ? { model: 'test/labels', frames: labels } : null),
  });
  expect(output.counts.tracks).toBe(1);
  expect(output.parts[0].json).toMatchObject({
    cameras: [{ camera: 'front', tracks: [{ label: 'cup' }] }],
    schema: 'assay/tracks/v1',
  });
});

it('cannot be made where nobody looked for objects and no model is here', async () => {
  const alone = runLayer(layerOf('tracks'), episodeOf([], 'egocentric', 2), {
    ...signalContext({}),
    frames: framesOf(frames),
  });
  await expect(alone).rejects.toMatchObject({ code: 'layer_unavailable' });
});
