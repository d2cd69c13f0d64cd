import { describe, expect, it } from 'vitest';
import { compareNames, matchesGlob, PathPattern } from './path-pattern.ts';

describe('a pattern of paths', () => {
  it.each([
    ['data/{episode}.csv', 'data/ep_1.csv', 'ep_1'],
    ['data/{episode}.csv', 'data/more/ep_1.csv', null],
    ['*/run_{episode}/*.json', 'a/run_7/x.json', '7'],
    ['*_{episode}.npz', 'left_arm_12.npz', '12'],
    ['{episode}_*.npz', 'left_arm_12.npz', 'left_arm'],
    ['{episode}.csv', '.csv', null],
    ['a.b/*.csv', 'axb/1.csv', null],
    ['a.b/*.csv', 'a.b/1.csv', ''],
  ])('%s finds the episode of %s', (pattern, path, episode) => {
    expect(new PathPattern(pattern).match(path)).toBe(episode);
  });

  it('with many stars is matched in little time', () => {
    const stars = `${'*a'.repeat(60)}b`;
    expect(matchesGlob(stars, 'a'.repeat(250))).toBe(false);
    expect(matchesGlob(stars, `${'a'.repeat(250)}b`)).toBe(true);
    expect(new PathPattern(`${stars}{episode}${stars}`).match('a'.repeat(250))).toBeNull();
  });
});

describe('the order of names', () => {
  it('is that of the numbers in them, with decimal fractions', () => {
    const sorted = ['s_2', 's_10', '5.25', '5.3', '1714561200.123456', '1714561200.5', 'v1.2.9', 'v1.2.10'];
    const [steps, times, stamps, versions] = [0, 2, 4, 6].map((at) => sorted.slice(at, at + 2));
    for (const pair of [steps, times, stamps, versions])
      expect(pair.toReversed().sort(compareNames)).toEqual(pair);
  });
});
