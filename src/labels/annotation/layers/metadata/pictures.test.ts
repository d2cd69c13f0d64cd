import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#core';
import { episodeOf } from '#test/annotation/known-motion';
import { signalContext } from '#test/annotation/lane-episodes';
import { cameraEpisode } from '#test/support/camera-episode';
import { framesOf } from '#test/support/lane-frames';
import { sceneOf, viewFrame } from '#test/support/view-frames';
import type { LaneContext, LaneFrame } from '../../lane.ts';
import { layerOf, runLayer } from '../../layer-registry.ts';

interface Fact {
  readonly status: 'told' | 'unknown' | 'inapplicable';
  readonly value: unknown;
  readonly reason: string | null;
}

async function factsOf(
  frames: readonly LaneFrame[],
  more: Partial<LaneContext> = {},
): Promise<Readonly<Record<string, Fact>>> {
  const context = { ...signalContext({}), frames: framesOf(frames), ...more };
  const { parts } = await runLayer(layerOf('metadata'), cameraEpisode(frames), context);
  return parts[0].json.facts as unknown as Record<string, Fact>;
}

const scene = sceneOf(5);
const lasting = (count: number, at: (row: number) => LaneFrame) =>
  Array.from({ length: count }, (_, row) => at(row));
const resting = lasting(8, (row) => viewFrame(row, row / 2, scene));
const first = <T>({ value }: Fact): T => (value as unknown as T[])[0];

describe('the facts of pictures', () => {
  it('are how bright they are, as a share of white', async () => {
    const dark = first<{ mean: number }>((await factsOf(resting)).brightness).mean;
    const bright = lasting(8, (row) => viewFrame(row, row / 2, sceneOf(5, { base: 130 })));
    const more = first<{ mean: number }>((await factsOf(bright)).brightness).mean;
    expect(more - dark).toBeCloseTo(130 / 255, 2);
  });

  it('have less structure the larger its patches are', async () => {
    const facts = await Promise.all(
      [4, 16].map((patch) => factsOf(lasting(4, (row) => viewFrame(row, row / 2, sceneOf(5, { patch }))))),
    );
    const [fine, coarse] = facts.map(
      ({ blur }) => first<{ laplacian_variance: number }>(blur).laplacian_variance,
    );
    expect(fine).toBeGreaterThan(1.5 * coarse);
    const [full, empty] = facts.map(({ clutter }) => first<{ edge_fraction: number }>(clutter).edge_fraction);
    expect(full).toBeGreaterThan(1.5 * empty);
  });

  it('tell a camera that moves from one that rests, whatever passes before it', async () => {
    const panning = lasting(8, (row) => viewFrame(row, row / 2, scene, [16 * row, 0]));
    const moving = first((await factsOf(panning)).camera_motion);
    // 16 of 320 px in half a second.
    expect(moving).toMatchObject({ moving_fraction: 1, typical_widths_per_s: expect.closeTo(0.1, 2) });
    const passing = lasting(8, (row) => viewFrame(row, row / 2, scene, [0, 0], 20 + 30 * row));
    expect(first((await factsOf(passing)).camera_motion)).toMatchObject({ still_fraction: 1 });
  });

  it('count other scenes, not motion', async () => {
    const other = sceneOf(6, { base: 130 });
    const cut = lasting(8, (row) => viewFrame(row, row / 2, row < 5 ? scene : other));
    expect(first((await factsOf(cut)).scene_cuts)).toMatchObject({ cuts: 1, at_s: [2.5] });
    const panning = lasting(8, (row) => viewFrame(row, row / 2, scene, [16 * row, 0]));
    expect(first((await factsOf(panning)).scene_cuts)).toMatchObject({ cuts: 0 });
  });

  it('are unknown with the reason where no picture can be had, and of no episode without', async () => {
    const gone = { frames: framesOf([], { unreadable: 'the file is cut' }) };
    const { brightness } = await factsOf(resting, gone);
    expect(brightness).toMatchObject({
      status: 'unknown',
      reason: expect.stringContaining('the file is cut'),
    });
    const blind = await runLayer(layerOf('metadata'), episodeOf([], 'state-only', 3), signalContext({}));
    const facts = blind.parts[0].json.facts as JsonObject;
    for (const name of ['brightness', 'camera_motion', 'people_seen', 'environment'])
      expect(facts[name]).toMatchObject({ status: 'inapplicable' });
  });
});

const box = (label: string, score = 0.9) => ({ label, score, box: [0, 0, 9, 9] });
const outputs = (of: Record<string, JsonObject>): Partial<LaneContext> => ({
  output: async (layer) => of[layer] ?? null,
});
const labels = (...frames: readonly (readonly ReturnType<typeof box>[])[]): Partial<LaneContext> =>
  outputs({ object_labels: { frames: frames.map((boxes) => ({ boxes: [...boxes] })) } });

describe('the facts of what other layers saw', () => {
  it('are unknown where nobody looked', async () => {
    const { people_seen, hands_seen, environment } = await factsOf(resting);
    for (const { status, reason } of [people_seen, hands_seen, environment]) {
      expect(status).toBe('unknown');
      expect(reason).toContain('has not run on this episode');
    }
  });

  it('count people and hands', async () => {
    const { people_seen } = await factsOf(resting, labels([box('person'), box('person')], [box('cup')]));
    expect(people_seen.value).toEqual({ by: 'object_labels', frames: 2, frames_with: 1, most_at_once: 2 });
    const { hands_seen } = await factsOf(resting, outputs({ hand_pose: { frames: [{ hands: [{}] }] } }));
    expect(hands_seen.value).toEqual({ by: 'hand_pose', frames: 1, frames_with: 1, most_at_once: 1 });
  });

  it('name a place only where things speak for it', async () => {
    const kitchen = await factsOf(resting, labels([box('oven'), box('cup')], [box('sink')]));
    expect(kitchen.environment.value).toMatchObject({ place: 'kitchen' });
    const told = async (...frames: readonly (readonly ReturnType<typeof box>[])[]) =>
      (await factsOf(resting, labels(...frames))).environment.status;
    expect(await told([box('oven'), box('cup')])).toBe('unknown');
    expect(await told([box('oven', 0.4)], [box('sink', 0.4)])).toBe('unknown');
    const both = [box('oven'), box('sink'), box('bus'), box('truck')];
    expect(await told(both)).toBe('unknown');
  });
});
