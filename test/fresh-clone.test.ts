import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
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
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function start(...args: string[]) {
    const began = performance.now();
    const ran = spawnSync('npm', ['start', '--silent', ...args], {
      cwd: clone,
      encoding: 'utf8',
      timeout: 300_000,
    });
    return { ...ran, seconds: (performance.now() - began) / 1000 };
  }

  it('installs, makes its samples and prints the table, then does it again at once', {
    timeout: 400_000,
  }, () => {
    const first = start();
    expect(first.stderr).toContain('running npm ci');
    expect(first.status).toBe(0);
    expect(first.stdout).toContain('What to do');
    expect(existsSync(join(clone, 'assay-report/demo/report/index.html'))).toBe(true);
    expect(first.seconds).toBeLessThan(60);
    const second = start();
    expect(second.stderr).not.toContain('running npm ci');
    expect(second.stdout).toBe(first.stdout);
    expect(second.seconds).toBeLessThan(8);
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
