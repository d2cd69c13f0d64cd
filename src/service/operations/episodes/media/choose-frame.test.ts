import { describe, expect, it } from 'vitest';
import { chooseFrame } from './get-frame.ts';

const camera = (
  time_s: readonly number[] | null,
  sample_count = time_s?.length ?? 0,
  rate: number | null = null,
) => ({
  time_s: time_s === null ? null : Float64Array.from(time_s),
  sample_count,
  declared_rate_hz: rate,
});

describe('the frame shown at a time', () => {
  it('is the last one until then', () => {
    const stamps = camera([0, 0.1, 0.2, 0.5]);
    expect(chooseFrame(stamps, 0.25)).toEqual({ row: 2, time_s: 0.2 });
    expect(chooseFrame(stamps, 0.2)).toEqual({ row: 2, time_s: 0.2 });
    expect(chooseFrame(stamps, 0.4999)).toEqual({ row: 2, time_s: 0.2 });
    expect(chooseFrame(stamps, 99)).toEqual({ row: 3, time_s: 0.5 });
  });

  it('is the first one before any', () => {
    expect(chooseFrame(camera([1, 2]), 0)).toEqual({ row: 0, time_s: 1 });
    expect(chooseFrame(camera([1, 2]), -5)).toEqual({ row: 0, time_s: 1 });
  });

  it('is found by its stamp where stamps run backwards', () => {
    expect(chooseFrame(camera([0, 0.3, 0.1, 0.2]), 0.25)).toEqual({ row: 3, time_s: 0.2 });
    expect(chooseFrame(camera([0.3, 0.1]), 0)).toEqual({ row: 1, time_s: 0.1 });
  });

  it('is counted by the rate without a clock', () => {
    expect(chooseFrame(camera(null, 30, 10), 1.3)).toEqual({ row: 13, time_s: 1.3 });
    expect(chooseFrame(camera(null, 30, 10), 99)).toEqual({ row: 29, time_s: 2.9 });
    expect(chooseFrame(camera(null, 1), 0)).toEqual({ row: 0, time_s: 0 });
  });

  it('is none of a camera without frames', () => {
    expect(chooseFrame(camera([]), 0)).toBeNull();
  });
});
