import { describe, expect, it } from 'vitest';
import { seededRandom } from '#core';
import { rounds } from '#test/support/tiers';
import { computeContentLagFacts } from './content-lag-facts.ts';
import { numericStream, testCamera, testCameraStream, testEpisode, testSubject } from './test-subject.ts';

const rate_hz = 30;
const frames = 600;
/** Episodes of random motion for each lag. */
const seeds = rounds(3, 12);

type Pose = (time_s: number, joint: number) => number;

/** Reaches of random length with rests between them, smooth as an arm's are. */
function reaching(seed: number): Pose {
  const random = seededRandom(seed);
  const reaches: { from_s: number; to_s: number; by: number[] }[] = [];
  for (let at_s = -2; at_s < 24; ) {
    const from_s = at_s + random.between(0.1, 1.2);
    const to_s = from_s + random.between(0.4, 1.1);
    reaches.push({ from_s, to_s, by: Array.from({ length: 6 }, () => random.between(-0.6, 0.6)) });
    at_s = to_s;
  }
  return (time_s, joint) =>
    reaches.reduce((pose, { from_s, to_s, by }) => {
      const u = Math.min(1, Math.max(0, (time_s - from_s) / (to_s - from_s)));
      return pose + by[joint] * (10 * u ** 3 - 15 * u ** 4 + 6 * u ** 5);
    }, 0);
}

/** An episode filmed with a lag: packets of predicted frames cost what moved since the frame before, and noise. */
function filmed(pose: Pose, lag_s: number, seed: number, noise = 0.25) {
  const random = seededRandom(seed + 1000);
  const moved = (i: number) => {
    let sum = 0;
    for (let joint = 0; joint < 6; joint++)
      sum += Math.abs(pose(i / rate_hz - lag_s, joint) - pose((i - 1) / rate_hz - lag_s, joint));
    return sum;
  };
  const key = Uint8Array.from({ length: frames }, (_, i) => (i % 20 === 0 ? 1 : 0));
  const bytes = Int32Array.from({ length: frames }, (_, i) =>
    key[i] === 1 ? 20_000 : Math.max(40, (300 + 30_000 * moved(i) ** 0.8) * (1 + noise * random.normal())),
  );
  const episode = testEpisode(0, [
    numericStream(
      'observation.state',
      'state',
      frames,
      6,
      (i, joint) => pose(i / rate_hz, joint) + 1e-4 * random.normal(),
      rate_hz,
    ),
    testCameraStream('front', frames, rate_hz),
  ]);
  const camera = testCamera(frames, {}, [], { coded: { bytes, key } }, rate_hz);
  return computeContentLagFacts(testSubject(episode, 'teleop', new Map([['front', camera]])));
}

const lags_ms = [0, 20, 45, 80, 110, 150, 200, 255, 300, 350, 410, 455, 500];

describe('the lag between pictures and signals', () => {
  it.each(lags_ms)('is found within 20 ms where it is sure, at %d ms', (lag_ms) => {
    const found = Array.from({ length: seeds }, (_, seed) => filmed(reaching(seed), lag_ms / 1000, seed));
    const sure = found.filter((facts) => facts?.sure === true);
    expect(sure.length).toBeGreaterThanOrEqual((2 / 3) * seeds);
    for (const facts of sure) expect(Math.abs((facts?.lag_ms ?? 0) - lag_ms)).toBeLessThanOrEqual(20);
  });

  it.each([-200, -60])('is negative where the pictures run ahead: %d ms', (lag_ms) => {
    const facts = filmed(reaching(3), lag_ms / 1000, 3);
    expect(facts?.sure).toBe(true);
    expect(Math.abs((facts?.lag_ms ?? 0) - lag_ms)).toBeLessThanOrEqual(20);
  });

  it.each(lags_ms)('is not claimed of an arm that hardly moves, at %d ms', (lag_ms) => {
    for (let seed = 0; seed < seeds; seed++) {
      const reach = reaching(seed);
      const once: Pose = (time_s, joint) =>
        (time_s > 9 && time_s < 10 ? reach(time_s, joint) : reach(9, joint)) * 1e-3;
      expect(filmed(once, lag_ms / 1000, seed, 0.5)?.sure ?? false).toBe(false);
    }
  });

  it('is not claimed of a motion that repeats, nor where it lies beyond what is searched', () => {
    const swing: Pose = (time_s, joint) => Math.sin(2 * Math.PI * 1.3 * time_s + joint);
    for (let seed = 0; seed < seeds; seed++) {
      expect(filmed(swing, 0.2, seed)?.sure ?? false).toBe(false);
      expect(filmed(reaching(seed), 3 + seed / 10, seed)?.sure ?? false).toBe(false);
    }
  });

  it('is absent where nothing moves, and where there is no camera', () => {
    expect(filmed(() => 0.3, 0, 1)?.sure ?? false).toBe(false);
    const still = testEpisode(0, [numericStream('observation.state', 'state', frames, 6, () => 0)]);
    expect(computeContentLagFacts(testSubject(still))).toBeNull();
  });
});
