import { describe, expect, it } from 'vitest';
import { EvidenceBuilder } from './evidence-builder.ts';
import type { Luma } from './frame-stats.ts';

/** A picture of random texture, with `changed` of its pixels one level brighter. */
function picture(seed: number, changed = 0, width = 640, height = 100): Luma {
  const data = Uint8Array.from({ length: width * height }, (_, i) => 40 + (((i + seed) * 2654435761) >>> 25));
  for (let i = 0; i < changed; i++) data[i]++;
  return { width, height, data };
}

describe('frames gathered one by one', () => {
  it('are compared with their neighbour only', () => {
    const builder = new EvidenceBuilder();
    for (const [index, seed] of [
      [0, 1],
      [1, 1],
      [2, 2],
      [5, 2],
      [6, 2],
    ])
      builder.add(index, index / 10, picture(seed));
    const { difference, index } = builder.sampled();
    expect([...index]).toEqual([0, 1, 2, 5, 6]);
    expect(difference[0]).toBeNaN();
    expect(difference[1]).toBe(0);
    expect(difference[2]).toBeGreaterThan(1);
    expect(difference[3]).toBeNaN();
    expect(builder.repeats('sampled', false)).toEqual({
      pairs_compared: 3,
      pairs_equal: 2,
      runs: [
        { from_s: 0, to_s: 0.1, frames: 1, equal: 1, motion_before: null, leap: null },
        { from_s: 0.5, to_s: 0.6, frames: 1, equal: 1, motion_before: null, leap: null },
      ],
      places: [
        [0, 0.1],
        [0.5, 0.6],
      ],
      place_count: 2,
      method: 'sampled',
      in_motion: null,
    });
  });

  it('may reuse one buffer', () => {
    const builder = new EvidenceBuilder();
    const shared = picture(1);
    builder.add(0, 0, shared);
    shared.data.set(picture(9).data);
    builder.add(1, 0.1, shared);
    shared.data.set(picture(1).data);
    builder.add(2, 0.2, shared);
    expect(builder.repeats('every_frame', false)).toMatchObject({ pairs_compared: 2, pairs_equal: 0 });
  });

  it('that an encoder refined a little are repeats beside a repeat, and none alone', () => {
    const n = 640 * 100;
    const steps = [0, 0.01 * n, 0.0105 * n, 0.0195 * n, 0.5 * n];
    const builder = new EvidenceBuilder();
    steps.forEach((changed, i) => {
      builder.add(i, i, picture(1, Math.round(changed)));
    });
    expect(builder.repeats('every_frame', false)).toMatchObject({
      pairs_equal: 3,
      runs: [{ from_s: 0, to_s: 3, frames: 3 }],
    });
    const alone = new EvidenceBuilder();
    alone.add(0, 0, picture(1));
    alone.add(1, 1, picture(1, Math.round(0.01 * n)));
    expect(alone.repeats('every_frame', false).pairs_equal).toBe(0);
  });
});
