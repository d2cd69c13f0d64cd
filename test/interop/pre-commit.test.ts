import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder, writeSet } from '../support/lerobot-set.ts';
import { onPeers, peersPython } from '../support/peers.ts';

describe.skipIf(!peersPython)(onPeers('the hook of pre-commit'), () => {
  it('refuses recordings that are not fit to train on, and takes the others', {
    timeout: 600_000,
  }, async () => {
    const cache = await temporaryFolder();
    // A set of numbers only; what it lacks otherwise is not what is looked at here.
    const sound = await writeSet({ episodes: 2, rows: 120 });
    const spoiled = await writeSet({ episodes: 2, cameras: ['front'] });
    const preCommit = (cwd: string, ...args: string[]) =>
      spawnSync(peersPython!, ['-m', 'pre_commit', ...args], {
        cwd,
        encoding: 'utf8',
        env: { ...process.env, PRE_COMMIT_HOME: cache, ASSAY_CACHE: 'none' },
      });
    const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' });
    const hooks = await hookRepository();
    for (const set of [sound, spoiled]) {
      const entry = `repos:\n- repo: ${hooks.path}\n  rev: ${hooks.rev}\n  hooks: [{ id: assay }]\n`;
      writeFileSync(join(set, '.pre-commit-config.yaml'), entry);
      git(set, 'init', '--quiet');
      git(set, 'add', '-A');
    }
    expect(preCommit(sound, 'install-hooks').status).toBe(0);
    linkPackages(cache);
    const refused = preCommit(spoiled, 'run');
    expect(refused.stdout).toMatch(/assay assess\.+Failed/);
    expect(refused.stdout).toContain('2 reject');
    const taken = preCommit(sound, 'run');
    expect(taken.stdout).toMatch(/assay assess\.+Passed/);
    expect([refused.status, taken.status]).toEqual([1, 0]);
    git(sound, 'rm', '--quiet', '-r', '--cached', 'data', 'meta');
    expect(preCommit(sound, 'run').stdout).toMatch(/no files to check\)Skipped/);
  });

  /** This checkout as it is now, as a repository that hooks are taken from. */
  async function hookRepository(): Promise<{ path: string; rev: string }> {
    const path = await temporaryFolder();
    const git = (...args: string[]) => execFileSync('git', args, { cwd: path, encoding: 'utf8' }).trim();
    git('clone', '--quiet', process.cwd(), '.');
    copyFileSync('.pre-commit-hooks.yaml', join(path, '.pre-commit-hooks.yaml'));
    git('add', '-A');
    git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '--quiet', '--allow-empty', '-m', 'Hooks');
    return { path, rev: git('rev-parse', 'HEAD') };
  }

  /** The hook's clone gets the packages of this checkout, which it would install otherwise. */
  function linkPackages(cache: string): void {
    const clones = readdirSync(cache)
      .map((name) => join(cache, name))
      .filter((path) => existsSync(join(path, '.pre-commit-hooks.yaml')));
    expect(clones.length).toBe(1);
    symlinkSync(join(process.cwd(), 'node_modules'), join(clones[0], 'node_modules'));
  }
});
