import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { chromiumPath, openBrowser } from '../report-browser.ts';
import { type Scene, type Screen, scenes } from './screens.ts';

export const approvedFolder = fileURLToPath(new URL('.', import.meta.url));

/** The version that draws: another one has other fonts and edges. Null without a browser. */
export function chromiumMajor(): number | null {
  if (chromiumPath === undefined) return null;
  const said = execFileSync(chromiumPath, ['--version'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return Number(/ (\d+)\./.exec(said)?.[1] ?? Number.NaN);
}

/** Draws each screen in a browser of its own look; gives PNGs of few colours, so that they are small. */
export async function* takeScreens(
  screens: readonly Screen[],
): AsyncGenerator<{ readonly screen: Screen; readonly png: Buffer }> {
  const open = new Map<Screen['scene'], Scene>();
  try {
    for (const screen of screens) {
      const scene = open.get(screen.scene) ?? (await scenes[screen.scene]());
      open.set(screen.scene, scene);
      const context = await openBrowser(screen.look);
      try {
        const page = await context.newPage();
        await page.goto(scene.address(screen.path));
        await screen.drawn(page);
        const taken = await page.screenshot({ animations: 'disabled', caret: 'hide' });
        yield { screen, png: await sharp(taken).png({ palette: true, effort: 10 }).toBuffer() };
      } finally {
        await context.close();
      }
    }
  } finally {
    for (const scene of open.values()) await scene.close();
  }
}
