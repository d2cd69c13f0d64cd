import type { Page } from 'playwright-core';
import { fixturePictures, writeFixtureReport } from '../report-browser.ts';

/** A place that screens are of: made once, the same each time. */
export interface Scene {
  readonly address: (path: string) => string;
  readonly close: () => Promise<void> | void;
}

/** To approve screens of the web application, add its scene here and rows below; then `npm run approve-screenshots`. */
export const scenes = {
  report: async (): Promise<Scene> => {
    const { folder, remove } = writeFixtureReport(60, {
      title: 'pick-place',
      rows: 300,
      thumbnails: await fixturePictures(),
    });
    return { address: (path) => `file://${folder}/${path}`, close: remove };
  },
} as const;

export interface Screen {
  readonly name: string;
  readonly scene: keyof typeof scenes;
  readonly path: string;
  readonly look: { readonly dark: boolean; readonly width: number };
  /** Resolves when everything is drawn. */
  readonly drawn: (page: Page) => Promise<unknown>;
}

const index = (page: Page) => page.getByText('60 episodes').first().waitFor();
const episode = (page: Page) => page.locator('canvas').first().waitFor();

/** What was looked at and approved; each is `<name>.png` beside this file. */
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
];
