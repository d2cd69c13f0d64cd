import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from 'vitest';
import { recordingsFolder, samplesVersion } from '#apps/samples';
import { generateNumericSet } from '../bench/lerobot/generate-set.ts';
import { npmStart } from './support/npm-start.ts';

/** The last it says: nothing went wrong on the way out. */
const stopped = /assay: stopping; waiting for work in progress to finish\n$/;

describe('a fresh clone, with the packages of this checkout', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-clone-'));
  const clone = join(folder, 'assay');
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|INIT_CWD$|NODE_OPTIONS$|NODE_COMPILE_CACHE$|VITEST|ASSAY_)/i.test(name),
  );
  const env = { ...Object.fromEntries(inherited), HOME: folder };
  beforeAll(async () => {
    execFileSync('git', ['clone', '--quiet', process.cwd(), clone]);
    symlinkSync(join(process.cwd(), 'node_modules'), join(clone, 'node_modules'));
    // Built here already, it need not be built again; a clone whose page differs builds its own.
    if (existsSync('web/dist')) cpSync('web/dist', join(clone, 'web/dist'), { recursive: true });
    await generateNumericSet(join(folder, 'arms'), 2);
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('assesses a folder named after npm start -- and serves it, again when it has changed', {
    timeout: 200_000,
  }, async () => {
    const started = await npmStart(clone, env, [join(folder, 'arms')]);
    onTestFailed(async () => void (await started.stop().catch(() => {})));
    expect(started.stderr).not.toContain('running npm ci');
    expect(started.stdout).toContain('2 episodes, 2 accept');
    expect(started.link_s).toBeLessThan(started.table_s);
    const authorization = `Bearer ${readFileSync(started.token_file, 'utf8').trim()}`;
    const answer = await fetch(`${started.address}/v1/projects`, { headers: { authorization } });
    expect(await answer.json()).toMatchObject({ items: [{ name: 'arms', episodes: 2 }] });
    expect(await started.stop()).toMatch(stopped);
    await generateNumericSet(join(folder, 'arms'), 3);
    const changed = await npmStart(clone, env, [join(folder, 'arms')]);
    onTestFailed(async () => void (await changed.stop().catch(() => {})));
    expect(changed.stdout).toContain('3 episodes, 3 accept');
    expect(await changed.stop()).toMatch(stopped);
  });

  it('exports its samples in the format of their target', { timeout: 200_000 }, async () => {
    const samples = join(folder, 'samples');
    await generateNumericSet(join(samples, recordingsFolder, 'arms'), 2);
    // A manifest of this version keeps `npm start` from replacing these samples by its own, which take minutes to assess.
    writeFileSync(
      join(samples, 'manifest.json'),
      JSON.stringify({ version: samplesVersion, seed: 1, sets: [] }),
    );
    const started = await npmStart(clone, env, ['--samples', samples]);
    onTestFailed(async () => void (await started.stop().catch(() => {})));
    const authorization = `Bearer ${readFileSync(started.token_file, 'utf8').trim()}`;
    const listed = await fetch(`${started.address}/v1/projects`, { headers: { authorization } });
    const { items } = (await listed.json()) as { items: { id: string; name: string }[] };
    const project = items.find(({ name }) => name === 'samples');
    const made = await fetch(`${started.address}/v1/projects/${project?.id}/exports`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: '{}',
    });
    expect([made.status, await made.json()]).toMatchObject([202, { format: 'lerobot-v3' }]);
    expect(await started.stop()).toMatch(stopped);
  });

  it('leaves nothing that git would see', () => {
    const status = ['status', '--short', '--', ':!node_modules'];
    expect(execFileSync('git', status, { cwd: clone, encoding: 'utf8' })).toBe('');
  });
});
