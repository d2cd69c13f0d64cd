import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeTeleopLeRobot, writeTeleopMcap } from '#apps/samples';
import { temporaryFolder } from '#test/support/lerobot-set';
import { runAssay } from './run-assay.ts';

let set: string;
let folder: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  set = join(folder, 'set');
  await writeTeleopLeRobot(set, 3, () => {}, { episodes: 12, plan: {} });
  const rollouts = { episodes: 2, plan: {}, succeeded: false };
  await writeTeleopMcap(join(folder, 'rollouts'), 9, () => {}, rollouts);
}, 240_000);

const loop = (failures: string, ...args: string[]) =>
  runAssay(['loop', set, '--failures', failures, '--cache', join(folder, 'cache'), ...args]);

describe('the loop over a folder', { timeout: 240_000 }, () => {
  it('holds recordings of failed attempts against the data, and writes a plan that boosts what is near', async () => {
    const file = join(folder, 'plan.json');
    const ran = await loop(join(folder, 'rollouts'), '--out', file, '--json');
    expect(ran.code).toBe(0);
    const looped = JSON.parse(ran.out);
    expect(looped).toMatchObject({ schema: 'assay/failure-loop/v1', baseline: { episodes: 12, motion: 12 } });
    expect(looped.failures).toHaveLength(2);
    expect(looped.failures.every(({ by }: { by: string }) => by === 'motion')).toBe(true);
    const plan = JSON.parse(readFileSync(file, 'utf8'));
    const boost = plan.plan.stages.find(({ strategy }: { strategy: string }) => strategy === 'failure_boost');
    expect(boost.parameters.episodes).toEqual(looped.gaps.map(({ id }: { id: string }) => id));
    expect(Object.keys(plan.boosts).sort()).toEqual([...boost.parameters.episodes].sort());
    const exported = await runAssay(['export', set, '--plan', file, '--dry-run']);
    expect(exported.code).toBe(0);
  });

  it('takes a list that names episodes and recordings beside it, and says what it cannot compare', async () => {
    const [take] = readdirSync(join(folder, 'rollouts'));
    const list = join(folder, 'failures.csv');
    writeFileSync(
      list,
      `id,episode,recording,operator\na,episode_000003,,ann\nb,,rollouts/${take},ben\nc,,,cy\n`,
    );
    const { code, out } = await loop(list, '--json');
    expect(code).toBe(0);
    const { failures, notes, baseline } = JSON.parse(out);
    expect(failures.map(({ verdict }: { verdict: string }) => verdict === 'not_assessable')).toEqual([
      false,
      false,
      true,
    ]);
    expect(failures[0].nearest.map(({ id }: { id: string }) => id)).not.toContain('episode_000003');
    expect(baseline.episodes).toBe(11);
    expect(notes).toEqual(['ignored columns: operator']);
  });

  it('reads what lerobot-eval writes, and boosts nothing where all is novel', async () => {
    const list = join(folder, 'eval_info.json');
    const metrics = { successes: [true, false] };
    writeFileSync(list, JSON.stringify({ per_task: [{ task_group: 'desk', task_id: 0, metrics }] }));
    const out = join(folder, 'none.json');
    const ran = await loop(list, '--task', 'fold the towel in half', '--out', out);
    expect(ran.out).toContain('1 of 2 attempts succeeded');
    expect(ran.out).toMatch(/desk\/0\/1: novel, novelty 1.00 by words/);
    expect(ran.out).toContain('no sampling weight is raised');
    expect(existsSync(out)).toBe(false);
  });

  it.each([
    [['loop', 'x'], 2, '--failures'],
    [['loop', '--failures', 'f.json'], 2, 'needs either a path'],
    [['loop', 'x', '--failures', 'f.json', '--neighbours', '21'], 2, 'at most 20'],
    [['loop', 'x', '--failures', 'f.json', '--novel-from', '2'], 2, 'between 0 and 1'],
    [['loop', 'x', '--failures', 'f.json', '--format', 'lerobot-v3'], 2, '--format'],
    [['loop', 'x', '--failures', '/nowhere/f.json'], 3, 'Not found'],
  ])('%j ends with %d before anything is measured', async (args, code, told) => {
    const ran = await runAssay([...args]);
    expect(ran.code).toBe(code);
    expect(ran.err).toContain(told);
  });
});
