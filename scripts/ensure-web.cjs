'use strict';
// Builds the web application into web/dist unless what is there was built of what is here. `npm run web` does it by itself,
// `npm start`, `assay serve` and `assay open` of a clone before they begin.

const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require('node:fs');
const { join } = require('node:path');
const { bundledNode, root } = require('./ensure-deps.cjs');

const web = join(root, 'web');
const dist = join(web, 'dist');
const stamp = join(dist, '.built-of');
const vite = join(root, 'node_modules/vite/bin/vite.js');
/** Files and folders that the build reads, from the root. Packages count by their versions in the lock file. */
const inputs = [
  'web',
  'clients/typescript/src',
  'src/core/titles',
  'src/quality/report/client',
  'src/quality/report/timeline',
  'src/quality/report/views',
  'package.json',
  'package-lock.json',
  'scripts/ensure-web.cjs',
];

function filesBelow(path) {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path))
    .sort()
    .filter((name) => name !== 'dist' && !name.includes('.test.'))
    .flatMap((name) => filesBelow(`${path}/${name}`));
}

function hashOfInputs() {
  const digest = createHash('sha256');
  for (const file of inputs.flatMap(filesBelow))
    digest.update(`${file}\n`).update(readFileSync(join(root, file)));
  return digest.digest('hex');
}

const builtOf = () => (existsSync(stamp) ? readFileSync(stamp, 'utf8') : null);

/** False where it could not be built; the reason was printed. Killed half-way it leaves what was there. */
function ensureWeb() {
  if (!existsSync(join(web, 'vite.config.ts')) || !existsSync(vite))
    return existsSync(join(dist, 'index.html'));
  const hash = hashOfInputs();
  if (builtOf() === hash) return true;
  process.stderr.write('assay: building the web application (once)\n');
  const fresh = join(web, 'dist', `.new-${process.pid}`);
  mkdirSync(fresh, { recursive: true });
  const ran = spawnSync(
    bundledNode(),
    [vite, 'build', '--logLevel', 'warn', '--outDir', fresh, '--emptyOutDir'],
    {
      cwd: web,
      stdio: ['ignore', 2, 2],
      // Whoever calls may test or develop; what is built is for use.
      env: Object.assign({}, process.env, { NODE_ENV: 'production' }),
    },
  );
  if (ran.status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    process.stderr.write('assay: the web application could not be built; the service starts without it\n');
    return false;
  }
  takeOver(fresh, hash);
  return true;
}

/** New assets first, the page that names them next, the stamp last; assets of older pages go. */
function takeOver(fresh, hash) {
  const assets = join(dist, 'assets');
  mkdirSync(assets, { recursive: true });
  const names = readdirSync(join(fresh, 'assets'));
  for (const name of names) renameSync(join(fresh, 'assets', name), join(assets, name));
  renameSync(join(fresh, 'index.html'), join(dist, 'index.html'));
  for (const name of readdirSync(assets))
    if (!names.includes(name)) rmSync(join(assets, name), { force: true });
  rmSync(fresh, { recursive: true, force: true });
  writeFileSync(`${stamp}.new`, hash);
  renameSync(`${stamp}.new`, stamp);
}

module.exports = { ensureWeb, inputs };
if (require.main === module && !ensureWeb()) process.exitCode = 4;
