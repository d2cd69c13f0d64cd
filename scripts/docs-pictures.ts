/** Draws the pictures of the documentation from the running product, over a sample project: `npm run docs-pictures`. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { chromiumPath, openBrowser } from '#test/report-browser';
import { assessFolder, writeDemonstrations } from '#test/support/shared-demonstrations';
import { startWebService } from '#test/web/web-service';

/** Maximum size of each picture on the site and in the README. */
const most_bytes = 150_000;

const folder = fileURLToPath(new URL('../docs/images/', import.meta.url));
const wait = { timeout: 120_000 };
/** Each in light and in dark, as `web-<name>-light.png`. */
const pictures: readonly (readonly [name: string, path: string, drawn: (page: Page) => Promise<unknown>])[] =
  [
    ['project', '', (page) => page.getByRole('heading', { name: 'Worst episodes' }).waitFor(wait)],
    ['episode', '/episodes/worst', (page) => page.getByText('Verified in this browser').waitFor(wait)],
  ];

if (chromiumPath === undefined) {
  process.stderr.write('docs-pictures: no chromium on this machine; CHROMIUM_PATH may name one\n');
  process.exit(2);
}
const service = await startWebService();
try {
  await writeDemonstrations(service.recordings, 10);
  const { project_id } = await assessFolder(service.client, service.recordings);
  const { items } = await service.client.episodes.list({
    project_id,
    sort: 'score',
    decision: ['review'],
    limit: 1,
  });
  for (const theme of ['light', 'dark'] as const) {
    const context = await openBrowser({ dark: theme === 'dark', width: 1280 });
    const page = await service.signedIn(context, 'reviewer');
    for (const [name, path, drawn] of pictures) {
      await page.goto(`${service.address}/projects/${project_id}${path.replace('worst', items[0].id)}`);
      await drawn(page);
      await page.waitForLoadState('networkidle');
      const png = await sharp(await page.screenshot({ animations: 'disabled' }))
        .png({ palette: true, effort: 10 })
        .toBuffer();
      if (png.length > most_bytes) throw new Error(`${name} has ${png.length} bytes; ${most_bytes} at most`);
      writeFileSync(`${folder}web-${name}-${theme}.png`, png);
      process.stdout.write(`web-${name}-${theme}.png: ${Math.round(png.length / 1000)} kB\n`);
    }
    await context.close();
  }
} finally {
  await service.stop();
}
