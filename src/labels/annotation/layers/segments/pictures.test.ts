import { describe, expect, it } from 'vitest';
import { knownEpisode } from '#test/annotation/known-motion';
import { signalContext } from '#test/annotation/lane-episodes';
import { segmentsOf } from '#test/annotation/segment-rows';
import { cameraEpisode } from '#test/support/camera-episode';
import { framesOf } from '#test/support/lane-frames';
import { sceneOf, viewFrame } from '#test/support/view-frames';
import { layerOf, runLayer } from '../../layer-registry.ts';

const [here, there] = [sceneOf(1), sceneOf(2, { base: 130 })];

/** Rests 3 s, something goes through the picture for 3 s, rests 3 s; then another scene, which rests. */
const frames = Array.from({ length: 60 }, (_, row) => {
  const time_s = row / 5;
  const square = Math.round(20 + 220 * Math.min(1, Math.max(0, (time_s - 3) / 3)));
  return viewFrame(row, time_s, time_s < 9 ? here : there, [0, 0], time_s < 9 ? square : null);
});

describe('spans by how the picture changes', () => {
  it('are of rest and motion, and begin with another scene', async () => {
    const context = { ...signalContext({}), frames: framesOf(frames) };
    const output = await runLayer(layerOf('segments'), cameraEpisode(frames), context);
    const spans = segmentsOf({ ...output, artifact: output.parts[0].json });
    const moving = spans.slice(1, -2);
    expect([spans[0].kind, ...spans.slice(-2).map(({ kind }) => kind)]).toEqual(['still', 'still', 'still']);
    expect(new Set(moving.map(({ kind }) => kind))).toEqual(new Set(['move']));
    expect(Math.abs(moving[0].from_s - 3)).toBeLessThan(0.5);
    expect(Math.abs(moving.at(-1)!.to_s - 6)).toBeLessThan(0.5);
    expect(spans.at(-1)).toMatchObject({ from_s: 9, begins: { type: 'scene_cut' } });
    expect(output.parts[0].json).toMatchObject({ motion: { role: 'camera', streams: ['front'] } });
  });

  it('are not looked for where numbers tell the motion', async () => {
    const known = knownEpisode(7);
    const seen = cameraEpisode(frames);
    const both = {
      facts: { ...known.facts, streams: [...known.facts.streams, ...seen.facts.streams] },
      streams: [...known.streams, ...seen.streams],
    };
    const frameless = () => {
      throw new Error('asked for a frame');
    };
    const output = await runLayer(layerOf('segments'), both, { ...signalContext({}), frames: frameless });
    expect(output.parts[0].json).toMatchObject({ motion: { role: 'state' } });
  });

  it('are one where no picture can be had', async () => {
    const context = { ...signalContext({}), frames: framesOf([], { unreadable: 'cut off' }) };
    const output = await runLayer(layerOf('segments'), cameraEpisode(frames), context);
    expect(output).toMatchObject({ counts: { segments: 1 }, quality: null });
  });
});
