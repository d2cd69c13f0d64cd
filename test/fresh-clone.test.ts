import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const asked = process.env.ASSAY_FRESH_CLONE === '1';

describe.skipIf(!asked)('a fresh clone (installs packages; ASSAY_FRESH_CLONE=1 runs it)', () => {
  let folder: string;
  let clone: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-clone-'));
    clone = join(folder, 'assay');
    execFileSync('git', ['clone', '--quiet', process.cwd(), clone]);
    for (const name of ['home', 'prefix']) mkdirSync(join(folder, name));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** As on a machine where npm was never used: no cache, no settings, nothing installed globally. */
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

  function start(...args: string[]) {
    return spawnSync('npm', ['start', '--silent', ...args], {
      cwd: clone,
      encoding: 'utf8',
      env: bareEnvironment(),
      timeout: 300_000,
    });
  }

  it('installs, makes its samples and prints the table, then does it again without installing', {
    timeout: 400_000,
  }, () => {
    const first = start();
    expect(first.stderr).toContain('running npm ci');
    expect(first.status).toBe(0);
    expect(first.stdout).toContain('What to do');
    expect(existsSync(join(clone, 'assay-report/demo/report/index.html'))).toBe(true);
    const second = start();
    expect(second.stderr).not.toContain('running npm ci');
    expect(second.stdout).toBe(first.stdout);
  });

  it('assesses a folder named after npm start --', { timeout: 100_000 }, () => {
    const ran = start('--', join(clone, 'assay-report/demo/samples/recordings/pictures'));
    expect(ran.status).toBe(0);
    expect(existsSync(join(clone, 'assay-report/pictures/index.html'))).toBe(true);
  });

  it('leaves nothing that git would see', () => {
    expect(execFileSync('git', ['status', '--short'], { cwd: clone, encoding: 'utf8' })).toBe('');
  });
});
