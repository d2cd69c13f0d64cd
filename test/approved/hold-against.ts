import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareScreens, tolerated_share } from './compare.ts';
import { approvedFolder, chromiumMajor, type TakenScreen } from './take.ts';

export const approved = (name: string): Buffer => readFileSync(join(approvedFolder, `${name}.png`));

const wanted = Number(readFileSync(join(approvedFolder, 'chromium.txt'), 'utf8'));
const here = chromiumMajor();
/** Why screens cannot be held against those that were approved, for the name of a test; empty where they can. */
export const notComparable: string =
  here === wanted
    ? ''
    : ` (skipped: approved with chromium ${wanted}, here is ${here === null ? 'none' : here}; npm run approve-screenshots)`;

/** Returns a sentence for each screen that differs from its approved image, with the folder of the new image. */
export async function differencesOf(taken: AsyncIterable<TakenScreen>): Promise<string[]> {
  const different: string[] = [];
  for await (const { screen, png } of taken) {
    const { share, shown } = await compareScreens(approved(screen.name), png);
    if (share <= tolerated_share) continue;
    const folder = process.env.ASSAY_TEST_SHOTS ?? join(tmpdir(), 'assay-not-approved');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${screen.name}.png`), png);
    if (shown !== null) writeFileSync(join(folder, `${screen.name}-difference.png`), shown);
    different.push(`${screen.name}: ${(100 * share).toFixed(2)} % of it differs; see ${folder}`);
  }
  return different;
}
