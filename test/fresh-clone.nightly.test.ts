import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { npmStart } from './support/npm-start.ts';

/** The last it says: nothing went wrong on the way out. */
const stopped = /assay: stopping; waiting for work in progress to finish\n$/;

describe('a fresh clone, on a machine where nothing was installed', () => {
  let folder: string;
  let clone: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-clone-'));
    clone = join(folder, 'assay');
    execFileSync('git', ['clone', '--quiet', process.cwd(), clone]);
    for (const name of ['home', 'prefix']) mkdirSync(join(folder, name));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Returns the environment of a machine where npm was never used: no cache, no settings, nothing installed globally. */
  function bareEnvironment(): NodeJS.ProcessEnv {
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(npm_|INIT_CWD$|NODE_OPTIONS$|NODE_COMPILE_CACHE$|VITEST|ASSAY_)/i.test(name),
    );
    return {
      ...Object.fromEntries(inherited),
      HOME: join(folder, 'home'),
      npm_config_prefix: join(folder, 'prefix'),
    };
  }

  it('installs, prints the table and serves what it assessed, then does it again without installing', {
    timeout: 400_000,
  }, async () => {
    const first = await npmStart(clone, bareEnvironment());
    expect(first.stderr).toContain('running npm ci');
    expect(first.stdout).toContain('What to do');
    const authorization = `Bearer ${readFileSync(first.token_file, 'utf8').trim()}`;
    const answer = await fetch(`${first.address}/v1/projects`, { headers: { authorization } });
    const { items } = (await answer.json()) as {
      items: { id: string; name: string; episodes: number }[];
    };
    expect(items).toMatchObject([{ name: 'samples', episodes: expect.any(Number) }]);
    expect(items[0].episodes).toBeGreaterThan(20);
    const made = await fetch(`${first.address}/v1/projects/${items[0].id}/exports`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ dataset_path: 'teleop-lerobot' }),
    });
    expect([made.status, await made.json()]).toMatchObject([202, { format: 'lerobot-v3' }]);
    expect(await first.stop()).toMatch(stopped);
    const second = await npmStart(clone, bareEnvironment());
    expect(second.stderr).not.toContain('running npm ci');
    expect(second.stdout).toBe(first.stdout);
    expect(await second.stop()).toMatch(stopped);
  });

  it('leaves nothing that git would see', () => {
    expect(execFileSync('git', ['status', '--short'], { cwd: clone, encoding: 'utf8' })).toBe('');
  });
});
