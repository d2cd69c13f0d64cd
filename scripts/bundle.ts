/**
 * Writes the package that is published: one bundle of the program with its threads, its assets and a launcher.
 * `node scripts/bundle.ts [FOLDER]`; then `npm pack FOLDER` or `npm install --global FOLDER`.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { staysOutside } from './bundle/libraries.ts';
import { writePackage } from './bundle/package-files.ts';
import { namedPlaces, withBundledPlaces } from './bundle/programs.ts';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const folder = resolve(process.argv[2] ?? join(root, 'package'));
execFileSync(process.execPath, [join(root, 'scripts/ensure-web.cjs')], {
  stdio: ['ignore', 'inherit', 'inherit'],
});
execFileSync(process.execPath, [join(root, 'scripts/docs-site.ts')], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
const places = namedPlaces(root);
const stampFile = join(root, 'src/engine/cache/program-stamp.ts');

rmSync(folder, { recursive: true, force: true });
const bundle = await rolldown({
  input: Object.fromEntries(
    [join(root, 'src/apps/program/main.ts'), ...places.programs.keys()].map((file) => [
      file.slice(join(root, 'src').length + 1, -3).replaceAll('/', '-'),
      file,
    ]),
  ),
  platform: 'node',
  external: staysOutside,
  // Libraries that were written for `require` look for their folder.
  transform: { define: { __dirname: 'import.meta.dirname' } },
  plugins: [
    {
      name: 'places',
      transform: (code, file) => (file === stampFile ? bundledStamp() : withBundledPlaces(root, file, code)),
    },
  ],
});
const { output } = await bundle.write({
  dir: join(folder, 'dist'),
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
});
await bundle.close();
writePackage(root, folder, places);
process.stdout.write(`${folder}: ${output.length} files, ${places.programs.size + 1} programs\n`);

/** In a bundle the program is what it was made of: sources, and libraries of exact versions. */
function bundledStamp(): string {
  const digest = createHash('sha256');
  for (const part of ['src', 'packages'])
    for (const path of readdirSync(join(root, part), { recursive: true, encoding: 'utf8' }).sort())
      if (/\.(ts|js|css|sql)$/.test(path) && !path.includes('node_modules'))
        digest.update(path).update(readFileSync(join(root, part, path)));
  digest.update(readFileSync(join(root, 'package-lock.json')));
  const stamp = JSON.stringify(digest.digest('hex'));
  return `export const programStamp = () => [process.version, process.platform, process.arch, ${stamp}].join(' ');`;
}
