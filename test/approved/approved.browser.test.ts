import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareScreens, tolerated_share } from './compare.ts';
import { screens } from './screens.ts';
import { approvedFolder, chromiumMajor, takeScreens } from './take.ts';

const approved = (name: string) => readFileSync(join(approvedFolder, `${name}.png`));
const wanted = Number(readFileSync(join(approvedFolder, 'chromium.txt'), 'utf8'));
const here = chromiumMajor();
const fits = here === wanted;
const reason = fits
  ? ''
  : ` (skipped: approved with chromium ${wanted}, here is ${here === null ? 'none' : here}; npm run approve-screenshots)`;

describe.skipIf(!fits)(`screens beside those that were approved${reason}`, { timeout: 300_000 }, () => {
  it('look as they did', async () => {
    const different: string[] = [];
    for await (const { screen, png } of takeScreens(screens)) {
      const { share, shown } = await compareScreens(approved(screen.name), png);
      if (share <= tolerated_share) continue;
      const folder = process.env.ASSAY_TEST_SHOTS ?? join(tmpdir(), 'assay-not-approved');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${screen.name}.png`), png);
      if (shown !== null) writeFileSync(join(folder, `${screen.name}-difference.png`), shown);
      different.push(`${screen.name}: ${(100 * share).toFixed(2)} % of it differs; see ${folder}`);
    }
    expect(different).toEqual([]);
  });
});

it('a screen with other words, other colours or another size is not taken for the same', async () => {
  const [light, dark, narrow] = ['report-light', 'report-dark', 'report-narrow'].map(approved);
  expect((await compareScreens(light, light)).share).toBe(0);
  for (const other of [dark, narrow, approved('episode-light')])
    expect((await compareScreens(light, other)).share).toBeGreaterThan(10 * tolerated_share);
});
