/** Draws the screens of test/approved anew and takes them for approved: `npm run approve-screenshots`. Look at them before you commit. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { screens } from '#test/approved/screens';
import { approvedFolder, chromiumMajor, takeScreens } from '#test/approved/take';

const major = chromiumMajor();
if (major === null) {
  process.stderr.write('approve-screenshots: no chromium on this machine; CHROMIUM_PATH may name one\n');
  process.exit(2);
}
for await (const { screen, png } of takeScreens(screens)) {
  writeFileSync(join(approvedFolder, `${screen.name}.png`), png);
  process.stdout.write(`${screen.name}.png: ${Math.round(png.length / 1000)} kB\n`);
}
writeFileSync(join(approvedFolder, 'chromium.txt'), `${major}\n`);
