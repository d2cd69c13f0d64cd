import { describe, expect, it } from 'vitest';
import { compareScreens, tolerated_share } from './compare.ts';
import { approved, differencesOf, notComparable } from './hold-against.ts';
import { screens } from './screens.ts';
import { takeScreens } from './take.ts';

describe.skipIf(notComparable !== '')(
  `pages of the report beside those that were approved${notComparable}`,
  { timeout: 300_000 },
  () => {
    it('look as they did', async () => {
      const ofReport = screens.filter(({ scene }) => scene === 'report');
      expect(await differencesOf(takeScreens(ofReport))).toEqual([]);
    });
  },
);

it('a screen with other words, other colours or another size is not taken for the same', async () => {
  const [light, dark, narrow] = ['report-light', 'report-dark', 'report-narrow'].map(approved);
  expect((await compareScreens(light, light)).share).toBe(0);
  for (const other of [dark, narrow, approved('episode-light')])
    expect((await compareScreens(light, other)).share).toBeGreaterThan(10 * tolerated_share);
});
