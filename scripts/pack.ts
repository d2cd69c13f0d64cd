/**
 * Writes the tarball that `npm install --global` and `npx` install: `node scripts/pack.ts [FOLDER]`. Prints its path and
 * size. Like `npm run bundle` it needs no network. `ASSAY_BUNDLE` names a folder that `npm run bundle` has written of these
 * sources, which is packed as it is.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = resolve(process.argv[2] ?? join(root, 'packed'));
const work = mkdtempSync(join(tmpdir(), 'assay-pack-'));
try {
  const bundled = process.env.ASSAY_BUNDLE;
  const content = bundled === undefined ? join(work, 'package') : resolve(bundled);
  const stdio: ['ignore', 'ignore', 'inherit'] = ['ignore', 'ignore', 'inherit'];
  if (bundled === undefined)
    execFileSync(process.execPath, [join(root, 'scripts/bundle.ts'), content], { stdio });
  mkdirSync(folder, { recursive: true });
  const npm = ['pack', content, '--pack-destination', folder, '--loglevel=error'];
  execFileSync('npm', npm, { cwd: work, stdio, shell: process.platform === 'win32' });
  for (const name of readdirSync(folder).filter((name) => /^assay-.*\.tgz$/.test(name)))
    process.stdout.write(
      `${join(folder, name)}: ${(statSync(join(folder, name)).size / 1e6).toFixed(1)} MB\n`,
    );
} finally {
  rmSync(work, { recursive: true, force: true });
}
