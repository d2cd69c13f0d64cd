import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Page, Request } from 'playwright-core';
import sharp from 'sharp';
import { chromiumPath } from '../report-browser.ts';
import type { Scene, SceneName, Screen } from './screen.ts';
import { scenes } from './screens.ts';

export const approvedFolder = fileURLToPath(new URL('.', import.meta.url));

/** Maximum height of a screenshot in px before it is reduced; longer pages are cut. */
const most_px = 2600;

/** The version that draws: another one has other fonts and edges. Null without a browser. */
export function chromiumMajor(): number | null {
  if (chromiumPath === undefined) return null;
  const said = execFileSync(chromiumPath, ['--version'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return Number(/ (\d+)\./.exec(said)?.[1] ?? Number.NaN);
}

export interface TakenScreen {
  readonly screen: Screen;
  /** PNG of few colours, so that it is small. */
  readonly png: Buffer;
}

/**
 * Draws each screen in a browser of its look, one for all screens of a scene that look so. `places` are scenes that are there
 * already, by name; others are made.
 */
export async function* takeScreens(
  screens: readonly Screen[],
  places: Partial<Record<SceneName, Scene>> = {},
): AsyncGenerator<TakenScreen> {
  const made = new Map<SceneName, Scene>();
  const pages = new Map<string, Watched>();
  try {
    for (const screen of screens) {
      const scene = places[screen.scene] ?? made.get(screen.scene) ?? (await scenes[screen.scene]());
      if (places[screen.scene] === undefined) made.set(screen.scene, scene);
      const key = `${screen.scene} ${screen.look.dark} ${screen.look.width}`;
      const at = pages.get(key) ?? watched(await scene.open(screen.look));
      pages.set(key, at);
      await at.page.goto(scene.address(screen.path));
      yield { screen, png: await pictureOf(at, screen) };
    }
  } finally {
    for (const { page } of pages.values()) await page.context().close();
    for (const scene of made.values()) await scene.close();
  }
}

interface Watched {
  readonly page: Page;
  /** Requests of the page without a response yet; videos are requested for as long as they are shown. */
  readonly pending: ReadonlySet<Request>;
}

function watched(page: Page): Watched {
  const pending = new Set<Request>();
  page.on('request', (request) => {
    if (request.resourceType() !== 'media') pending.add(request);
  });
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  return { page, pending };
}

/** Takes a screenshot once no request is pending and two consecutive screenshots are equal. */
async function pictureOf({ page, pending }: Watched, { drawn, whole = false }: Screen): Promise<Buffer> {
  let before: Buffer | null = null;
  for (let tries = 0; tries < 40; tries++) {
    await drawn(page);
    const taken = await page.screenshot({ animations: 'disabled', caret: 'hide', fullPage: whole });
    if (pending.size === 0 && before?.equals(taken)) return smaller(taken, whole);
    before = taken;
    await page.waitForTimeout(100);
  }
  throw new Error(`${page.url()} does not come to rest`);
}

async function smaller(taken: Buffer, whole: boolean): Promise<Buffer> {
  const { width, height } = await sharp(taken).metadata();
  const picture = whole
    ? sharp(
        await sharp(taken)
          .extract({ left: 0, top: 0, width, height: Math.min(height, most_px) })
          .png()
          .toBuffer(),
      ).resize({ width: Math.round(width / 2) })
    : sharp(taken);
  return picture.png({ palette: true, effort: 10 }).toBuffer();
}
