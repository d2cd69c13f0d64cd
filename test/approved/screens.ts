import type { Page } from 'playwright-core';
import { fixturePictures, openBrowser, writeFixtureReport } from '../report-browser.ts';
import { assessFolder, writeDemonstrations } from '../support/shared-demonstrations.ts';
import { startWebService } from '../web/web-service.ts';
import type { Look, Scene, SceneName, Screen } from './screen.ts';
import { webScene, webScreens } from './web-scene.ts';

/** Scenes by name. To approve more screens, add rows below or in `web-scene.ts`; then `npm run approve-screenshots`. */
export const scenes: Readonly<Record<SceneName, () => Promise<Scene>>> = {
  report: async () => {
    const { folder, remove } = writeFixtureReport(60, {
      title: 'pick-place',
      rows: 300,
      thumbnails: await fixturePictures(),
    });
    const open = async (look: Look) => (await openBrowser(look)).newPage();
    return { address: (path) => `file://${folder}/${path}`, open, close: remove };
  },
  web: async () => {
    const service = await startWebService();
    await writeDemonstrations(service.recordings, 10);
    const { project_id } = await assessFolder(service.client, service.recordings);
    return { ...(await webScene(service, project_id)), close: () => service.stop() };
  },
};

const index = (page: Page) => page.getByText('60 episodes').first().waitFor();
const episode = (page: Page) => page.locator('canvas').first().waitFor();

/** Screens with an approved image, `<name>.png` next to this file. */
export const screens: readonly Screen[] = [
  {
    name: 'report-light',
    scene: 'report',
    path: 'index.html',
    look: { dark: false, width: 1440 },
    drawn: index,
  },
  {
    name: 'report-dark',
    scene: 'report',
    path: 'index.html',
    look: { dark: true, width: 1440 },
    drawn: index,
  },
  {
    name: 'report-narrow',
    scene: 'report',
    path: 'index.html',
    look: { dark: false, width: 390 },
    drawn: index,
  },
  {
    name: 'episode-light',
    scene: 'report',
    path: 'episode.html#3',
    look: { dark: false, width: 1440 },
    drawn: episode,
  },
  {
    name: 'episode-dark',
    scene: 'report',
    path: 'episode.html#3',
    look: { dark: true, width: 1440 },
    drawn: episode,
  },
  {
    name: 'episode-narrow',
    scene: 'report',
    path: 'episode.html#3',
    look: { dark: true, width: 390 },
    drawn: episode,
  },
  ...webScreens,
];
