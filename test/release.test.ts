import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from './support/lerobot-set.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
/** All that a release looks at and is made by. */
const looked = [
  'package.json',
  'package-lock.json',
  'openapi.json',
  'CHANGELOG.md',
  'scripts',
  'docs/contract',
  'docs/migrations.md',
  'clients/typescript/package.json',
  'clients/python/pyproject.toml',
  'python/pyproject.toml',
];

describe('a release', () => {
  let root: string;
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
      cwd: root,
      encoding: 'utf8',
    });
  const commit = () => git('add', '-A') + git('commit', '--quiet', '--allow-empty', '--message', 'Change');
  const at = (path: string) => join(root, path);
  const edit = (path: string, change: (text: string) => string) =>
    writeFileSync(at(path), change(readFileSync(at(path), 'utf8')));
  const release = (...args: string[]) =>
    spawnSync(process.execPath, [at('scripts/release.ts'), ...args], {
      cwd: root,
      encoding: 'utf8',
      env: {
        ...process.env,
        GIT_AUTHOR_NAME: 'a',
        GIT_AUTHOR_EMAIL: 'a@b.c',
        GIT_COMMITTER_NAME: 'a',
        GIT_COMMITTER_EMAIL: 'a@b.c',
      },
    });

  beforeAll(async () => {
    root = await temporaryFolder();
    for (const path of looked) cpSync(path, at(path), { recursive: true });
    // Unreleased changes of this checkout may still lack a migration entry, so the test starts from a clean state.
    cpSync(at('openapi.json'), at('docs/contract/released-openapi.json'));
    edit('docs/migrations.md', (text) => text.replace(/^## Unreleased[\s\S]*/m, '## Unreleased\n'));
    edit('CHANGELOG.md', () => '# Changelog\n\n## Unreleased\n\n- Something\n');
    writeFileSync(at('.gitignore'), 'node_modules\n');
    symlinkSync(join(process.cwd(), 'node_modules'), at('node_modules'));
    git('init', '--quiet');
    commit();
  });

  it('tells at once of all that speaks against it', () => {
    writeFileSync(at('left-over'), '');
    const { status, stderr } = release('9.9.9', '--dry-run');
    expect(status).toBe(1);
    expect(stderr).toContain('the tree has changes');
    expect(stderr).toContain('?? left-over');
    for (const file of [
      'package.json',
      'package-lock.json',
      'clients/python/pyproject.toml',
      'python/pyproject.toml',
    ])
      expect(stderr).toContain(`release: ${file} says ${version}: write 9.9.9`);
    expect(stderr).toContain('## 9.9.9 - YYYY-MM-DD');
    execFileSync('rm', [at('left-over')]);
    expect(release('one', '--dry-run').stderr).toContain('one is no version');
    expect(release().status).toBe(2);
  });

  it('wants the migrations that the contract asks for', () => {
    edit('CHANGELOG.md', (text) =>
      text.replace('## Unreleased\n', `## Unreleased\n\n## ${version} - 2026-11-24\n`),
    );
    edit('openapi.json', (text) =>
      text.replace('"operationId": "create_project"', '"operationId": "make_project"'),
    );
    commit();
    expect(release(version, '--dry-run').stderr).toMatch(/1 missing, 0 idle/);
    edit(
      'docs/migrations.md',
      (text) =>
        `${text}\n- \`POST /v1/projects: operation id changed, by which clients name it\`: call it by its new name\n`,
    );
    commit();
  });

  it('changes nothing in a dry run', () => {
    const before = git('rev-parse', 'HEAD');
    const { status, stdout, stderr } = release(version, '--dry-run');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^check: .*would run\ntarball: .*would run\nclient: .*would run\nwheel: .*would run\nwould commit/,
    );
    expect([git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag')]).toEqual([before, '', '']);
  });

  it('takes the contract for released, closes the guide and tags', () => {
    const { status, stdout } = release(version, '--skip', 'check,tarball,client,wheel');
    expect(status).toBe(0);
    expect(stdout).toContain(`npm publish packed/assay-${version}.tgz`);
    expect(git('describe', '--exact-match')).toBe(`v${version}\n`);
    expect(git('status', '--porcelain')).toBe('');
    expect(readFileSync(at('docs/contract/released-openapi.json'))).toEqual(readFileSync(at('openapi.json')));
    expect(readFileSync(at('docs/migrations.md'), 'utf8')).toMatch(
      new RegExp(`## Unreleased\n\n## ${version}\n+- \`POST /v1/projects`),
    );
    expect(release(version, '--dry-run').stderr).toContain('is released already');
  });
});
