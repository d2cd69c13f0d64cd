import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../contract/change.ts';
import { compareContracts } from '../contract/compare-contracts.ts';
import { heldAgainstGuide } from '../contract/migration-entries.ts';

/** Files that say the version, with how they say it. */
const told: readonly (readonly [file: string, pattern: RegExp])[] = [
  ['package.json', /^ {2}"version": "([^"]+)"/m],
  ['package-lock.json', /^ {2}"version": "([^"]+)"/m],
  ['clients/typescript/package.json', /^ {2}"version": "([^"]+)"/m],
  ['clients/python/pyproject.toml', /^version = "([^"]+)"/m],
  ['python/pyproject.toml', /^version = "([^"]+)"/m],
];

/** Everything that keeps `version` from being released, each with what to do; empty: nothing does. */
export function problemsOf(root: string, version: string): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const problems: string[] = [];
  const say = (problem: string) => problems.push(problem);
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) say(`${version} is no version: write it as 1.2.3`);
  const dirty = git('status', '--porcelain');
  if (dirty !== '') say(`the tree has changes: commit them, or take them out\n${dirty.trimEnd()}`);
  if (git('tag', '--list', `v${version}`) !== '')
    say(`v${version} is released already: take the next version`);
  for (const [file, pattern] of told) {
    const said = pattern.exec(read(file))?.[1];
    if (said !== version) say(`${file} says ${said}: write ${version}`);
  }
  const heading = new RegExp(
    `^## ${version.replaceAll('.', '\\.')} - \\d{4}-\\d\\d-\\d\\d\\n+(?!## )\\S`,
    'm',
  );
  if (!heading.test(read('CHANGELOG.md')))
    say(`CHANGELOG.md tells nothing of it: move what is unreleased under "## ${version} - YYYY-MM-DD"`);
  const contract = (path: string) => JSON.parse(read(path)) as Json;
  const changes = compareContracts(contract('docs/contract/released-openapi.json'), contract('openapi.json'));
  const { missing, idle } = heldAgainstGuide(changes, read('docs/migrations.md'));
  if (missing.length + idle.length > 0)
    say(
      `docs/migrations.md does not agree with the contract (${missing.length} missing, ${idle.length} idle): npm run contract-diff`,
    );
  return problems;
}
