import { describe, expect, it } from 'vitest';
import { joinDemonstrations } from '../web/web-service.ts';
import { compareScreens, tolerated_share } from './compare.ts';
import { approved, differencesOf, notComparable } from './hold-against.ts';
import { screens } from './screens.ts';
import { takeScreens } from './take.ts';
import { webScene } from './web-scene.ts';

/** One screen of each kind; `approved.nightly.test.ts` compares all. */
const representative = ['report-light', 'episode-dark', 'web-episodes-light'];

describe.skipIf(notComparable !== '')(`representative screens${notComparable}`, { timeout: 300_000 }, () => {
  it('look as they were approved', async () => {
    const { project_id, ...service } = await joinDemonstrations();
    const web = await webScene(service, project_id);
    const taken = screens.filter(({ name }) => representative.includes(name));
    expect(taken).toHaveLength(representative.length);
    expect(await differencesOf(takeScreens(taken, { web }))).toEqual([]);
  });
});

it('a screen with other words, colours or size counts as different', async () => {
  const [light, dark, narrow] = ['report-light', 'report-dark', 'report-narrow'].map(approved);
  expect((await compareScreens(light, light)).share).toBe(0);
  for (const other of [dark, narrow, approved('episode-light')])
    expect((await compareScreens(light, other)).share).toBeGreaterThan(10 * tolerated_share);
});
