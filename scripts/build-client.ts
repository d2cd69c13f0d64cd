/**
 * Builds what `@assay/client` publishes: `clients/typescript/dist/index.js`, one module without dependencies that Node and browsers
 * import as it is, and its declarations. npm runs it before `npm pack` and `npm publish` in `clients/typescript`.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const client = join(root, 'clients/typescript');
const dist = join(client, 'dist');

rmSync(dist, { recursive: true, force: true });
const bundle = await rolldown({
  input: join(client, 'src/index.ts'),
  platform: 'neutral',
  transform: { target: 'es2022' },
});
await bundle.write({ file: join(dist, 'index.js'), format: 'esm' });
await bundle.close();

const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
const flags = [
  '--noEmit',
  'false',
  '--declaration',
  '--emitDeclarationOnly',
  '--rootDir',
  'src',
  '--outDir',
  dist,
];
execFileSync(process.execPath, [compiler, '-p', client, ...flags], { cwd: client, stdio: 'inherit' });
for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.d.ts'),
)) {
  const path = join(dist, name);
  // The sources import each other as `.ts`, which compilers refuse in declarations.
  writeFileSync(path, readFileSync(path, 'utf8').replace(/(['"]\.\.?\/[^'"]+)\.ts(['"])/g, '$1.js$2'));
}
