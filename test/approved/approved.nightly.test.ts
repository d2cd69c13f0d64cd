import { describe, expect, it } from 'vitest';
import { joinDemonstrations } from '../web/web-service.ts';
import { differencesOf, notComparable } from './hold-against.ts';
import { screens } from './screens.ts';
import { takeScreens } from './take.ts';
import { webScene } from './web-scene.ts';

describe.skipIf(notComparable !== '')(`all screens${notComparable}`, { timeout: 600_000 }, () => {
  it('look as they were approved', async () => {
    const { project_id, ...service } = await joinDemonstrations();
    const web = await webScene(service, project_id);
    expect(await differencesOf(takeScreens(screens, { web }))).toEqual([]);
  }, 600_000);
});
