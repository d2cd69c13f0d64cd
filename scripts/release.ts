/**
 * Makes a release: `npm run release -- VERSION [--dry-run] [--skip check,tarball,client,wheel]`. Everything that speaks against it is told at
 * once; then the checks run, tarball and wheel are written into `packed/`, and a commit takes the contract for released and is
 * tagged. Nothing is pushed or published; the commands for that are printed. `--dry-run` changes and builds nothing.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { problemsOf } from './release/ready.ts';
import { recordRelease } from './release/record.ts';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean', default: false }, skip: { type: 'string', default: '' } },
});
const [version] = positionals;
if (positionals.length !== 1) {
  console.error('npm run release -- VERSION [--dry-run] [--skip check,tarball,client,wheel]');
  process.exit(2);
}

/** Slow steps by their name for `--skip`, since each may have been run before. */
const steps: readonly (readonly [name: string, what: string, command: readonly string[]])[] = [
  ['check', 'everything that a change must pass', ['npm', 'run', '--silent', 'check']],
  ['tarball', 'the tarball for npm', [process.execPath, 'scripts/pack.ts', 'packed']],
  [
    'client',
    'the client for npm',
    ['npm', 'pack', '--silent', '--workspace', '@assay/client', '--pack-destination', 'packed'],
  ],
  ['wheel', 'the wheel of this platform', [process.execPath, 'scripts/wheel.ts', 'packed']],
];
const skipped = values.skip.split(',');

const problems = problemsOf(root, version);
for (const problem of problems) console.error(`release: ${problem}`);
if (problems.length > 0) process.exit(1);
for (const [name, what, [program, ...args]] of steps) {
  const doing = skipped.includes(name) ? 'skipped' : values['dry-run'] ? 'would run' : 'running';
  console.log(`${name}: ${what}, ${doing}`);
  if (doing === 'running') execFileSync(program, args, { cwd: root, stdio: 'inherit' });
}
if (values['dry-run'])
  console.log(`would commit the released contract and tag v${version}; nothing was changed`);
else {
  recordRelease(root, version);
  console.log(`tagged v${version}; to publish it:
  git push --follow-tags
  npm publish ${join('packed', `assay-${version}.tgz`)}
  npm publish ${join('packed', `assay-client-${version}.tgz`)}
  python3 -m twine upload packed/assay_robotics-${version}-*.whl`);
}
