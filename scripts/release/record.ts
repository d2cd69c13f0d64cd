import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Takes the contract for released, closes the migration guide's section, and tags the commit that says so. */
export function recordRelease(root: string, version: string): void {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  copyFileSync(join(root, 'openapi.json'), join(root, 'docs/contract/released-openapi.json'));
  const path = join(root, 'docs/migrations.md');
  writeFileSync(path, closedGuide(readFileSync(path, 'utf8'), version));
  git('add', 'docs/contract/released-openapi.json', 'docs/migrations.md');
  git('commit', '--quiet', '--allow-empty', '--message', `Release ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `Release ${version}`);
}

/** Renames the "Unreleased" section to the version, or removes it if it has no entries. */
function closedGuide(guide: string, version: string): string {
  const entries = (guide.split(/^## Unreleased\n/m)[1] ?? '').split(/^## /m)[0].trim();
  return entries === '' ? guide : guide.replace(/^## Unreleased\n/m, `## Unreleased\n\n## ${version}\n`);
}
