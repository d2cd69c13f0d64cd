import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { temporaryFolder, writeSet } from '#test/support/lerobot-set';
import { program } from '#test/support/program';
import { rounds } from '#test/support/tiers';

const kills = rounds(1, 4);

it('an export that is killed at any moment leaves nothing under its name, and the next is whole', async () => {
  const source = await writeSet({ layout: 'v2', episodes: 40, rows: 60 });
  const home = await temporaryFolder();
  const cache = await temporaryFolder();
  const out = join(home, 'export');
  const begin = () => {
    const args = [
      'export',
      source,
      '--out',
      out,
      '--with-review',
      '--cache',
      cache,
      '--format',
      'lerobot-v2.1',
    ];
    const process_ = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'ignore', 'ignore'] });
    const ended = new Promise<number | null>((resolve) => process_.once('exit', resolve));
    return { process: process_, ended };
  };
  let killed = 0;
  for (let attempt = 0; attempt < kills; attempt++) {
    const { process: own, ended } = begin();
    // Once it has begun to write: a part of the work later each time.
    const partial = () => readdirSync(home).some((name) => name.includes('partial'));
    while (own.exitCode === null && !partial()) await sleep(5);
    await sleep(attempt * 150);
    own.kill('SIGKILL');
    if ((await ended) === 0) break;
    killed += 1;
    expect(existsSync(out)).toBe(false);
  }
  expect(killed).toBeGreaterThan(0);
  if (!existsSync(out)) expect(await begin().ended).toBe(0);
  expect(spawnSync(process.execPath, [program, 'verify', out]).status).toBe(0);
  expect(readdirSync(home)).toEqual(['export']);
}, 120_000);
