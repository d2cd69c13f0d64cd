import { describe, expect, it } from 'vitest';
import type { Episode, Stream } from '#core/episode';
import { decodeSample, sampleEpisode } from './sample-episode.ts';

function stream(
  id: string,
  role: 'state' | 'action',
  rate_hz: number,
  value: (t: number) => number[],
): Stream {
  const times = Float64Array.from({ length: 10 * rate_hz }, (_, i) => i / rate_hz);
  const rows = [...times].map(value);
  return {
    id,
    role,
    modality: 'numeric',
    shape: [rows[0].length],
    names: null,
    unit: { unit: 'unknown', evidence: 'unknown', reason: '' },
    declared_rate_hz: rate_hz,
    sample_count: rows.length,
    clocks: [{ name: 'c', provenance: 'hardware', time_s: times }],
    clock: { index: 0, reason: '' },
    series: { values: Float64Array.from(rows.flat()), dims: rows[0].length },
  };
}
const episode = (...streams: Stream[]): Episode => ({
  id: 'e',
  index: 0,
  locator: { format: 'x', path: 'x' },
  sources: [],
  start_ns: null,
  duration_s: 10,
  streams,
  events: [],
  tasks: null,
  outcome: { value: 'unknown', evidence: 'unknown', reason: '' },
  robot: null,
  calibrations: [],
  grippers: [],
  labels: null,
  findings: [],
});
/** Rests for two seconds, moves, and rests for three. */
const move = (t: number): number => Math.min(1, Math.max(0, (t - 2) / 5));

describe('the sample of an episode', () => {
  it('pairs states with the action that held at the time, whatever their rates', () => {
    const { sample } = decodeSample(
      sampleEpisode(
        episode(
          stream('s', 'state', 50, (t) => [t, 1]),
          stream('a', 'action', 10, (t) => [t]),
        ),
      ),
    );
    expect(sample).toMatchObject({
      state_dims: 2,
      action_dims: 1,
      rows: 64,
      layout: 'state s 2, action a 1',
    });
    for (let i = 0; i < 64; i++) {
      const behind = sample!.states[2 * i] - sample!.actions[i];
      expect(behind).toBeGreaterThan(-1e-6);
      expect(behind).toBeLessThan(0.1 + 1e-6);
    }
  });

  it('finds rest at both ends', () => {
    const { idle } = sampleEpisode(
      episode(stream('s', 'state', 50, (t) => [move(t), 0.001 * Math.sin(9 * t)])),
    );
    expect(idle?.head_s).toBeGreaterThan(1.9);
    expect(idle?.head_s).toBeLessThan(2.2);
    expect(idle?.tail_s).toBeGreaterThan(2.7);
    expect(idle?.tail_s).toBeLessThan(3.1);
  });

  it('has the same hash for the same numbers only, and none where there is nothing', () => {
    const one = (shift: number) => sampleEpisode(episode(stream('s', 'state', 50, (t) => [move(t) + shift])));
    expect(one(0)).toEqual(one(0));
    expect(one(0).content_hash).not.toBe(one(1e-9).content_hash);
    expect(sampleEpisode(episode())).toEqual({ content_hash: null, idle: null, pairs: null });
  });

  it('takes numbers that are not finite as they are, and says nothing of rest where nothing moves', () => {
    const still = sampleEpisode(episode(stream('s', 'state', 50, () => [Number.NaN, 3])));
    expect(still.idle).toBeNull();
    expect(decodeSample(still).sample!.states[0]).toBeNaN();
  });
});
