import type { Page } from 'playwright-core';
import { openBrowser } from '../report-browser.ts';
import type { WebService } from '../web/web-service.ts';
import type { Scene, Screen } from './screen.ts';

/** Screens of a service with ten demonstrations in `project_id` that nobody decided on yet. Closing it leaves the service alone. */
export async function webScene(service: WebService, project_id: string): Promise<Scene> {
  const { items } = await service.client.episodes.list({ project_id, decision: ['reject'] });
  const below = `${service.address}/projects/${project_id}`;
  return {
    address: (path) => `${below}${path.replace('REJECTED', items[0].id)}`,
    open: async (look) => service.signedIn(await openBrowser(look), 'admin'),
    close: () => {},
  };
}

/**
 * Replaces on a page what no two services have in common: hashes, times, how long something took, the version. What stands
 * for them is as long, so that nothing moves.
 */
async function holdStill(page: Page): Promise<void> {
  // Passed as text, because tests are compiled without DOM types.
  await page.evaluate(`(() => {
    const still = [
      [/\\b[0-9a-f]{12,64}\\b/g, (hash) => '0'.repeat(hash.length)],
      [/\\b[A-Z][a-z]{2} \\d{1,2}, \\d{4}, \\d{1,2}:\\d{2}\\s[AP]M/g, () => 'Jan 2, 2026, 3:04 AM'],
      [/\\b\\d+\\.\\d+\\.\\d+\\b/g, () => '0.0.0'],
    ];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { currentNode: node } = texts;
      const held = still.reduce((text, [what, by]) => text.replace(what, by), node.data);
      if (held !== node.data) node.data = held;
    }
  })()`);
}

/** Until every film of the page shows a picture. */
const film = (page: Page) =>
  page.evaluate(`new Promise((done) => {
    const look = () => {
      const films = [...document.querySelectorAll('.player video')];
      if (films.length > 0 && films.every(({ readyState, seeking }) => readyState >= 2 && !seeking)) done();
      else requestAnimationFrame(look);
    };
    look();
  })`);

/** Address below the project, and what is drawn last. */
const drawn: Readonly<Record<string, readonly [path: string, (page: Page) => Promise<unknown>]>> = {
  home: ['/../..', (page) => page.getByText('episodes to review').waitFor()],
  project: ['', (page) => page.getByRole('heading', { name: /^Optical flow/ }).waitFor()],
  episodes: ['/episodes', (page) => page.getByRole('link', { name: 'episode_000009' }).waitFor()],
  episode: [
    '/episodes/REJECTED',
    async (page) => {
      await page.getByText('Verified in this browser').waitFor();
      await film(page);
    },
  ],
  review: [
    '/review',
    async (page) => {
      await page.getByRole('article').waitFor();
      await film(page);
    },
  ],
  certification: ['/certification', (page) => page.getByText('Verified in this browser').waitFor()],
  copilot: ['/copilot', (page) => page.locator('.suggestions button').first().waitFor()],
};

/** Light and wide, dark and narrow, each whole and at half its size. */
export const webScreens: readonly Screen[] = [
  ['light', { dark: false, width: 1440 }] as const,
  ['narrow', { dark: true, width: 390 }] as const,
].flatMap(([suffix, look]) =>
  Object.entries(drawn).map(([name, [path, ready]]) => ({
    name: `web-${name}-${suffix}`,
    scene: 'web' as const,
    ...{ path, look, whole: true },
    drawn: async (page: Page) => {
      await ready(page);
      await holdStill(page);
    },
  })),
);
