import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { doTask } from '../bench/copilot/do-task.ts';
import { type OpenStage, openStage } from '../bench/copilot/stage.ts';
import { tasks } from '../bench/copilot/tasks.ts';

let stage: OpenStage;
beforeAll(async () => {
  stage = await openStage();
}, 300_000);
afterAll(() => stage.close());

it('there are at least sixty tasks, each of its own name', () => {
  expect(tasks.length).toBeGreaterThanOrEqual(60);
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(tasks.length);
});

describe('a task in plain words, with a scripted model', { timeout: 60_000 }, () => {
  it.each(tasks.map((task) => [task.id, task] as const))('%s', async (_, task) => {
    expect(await doTask(stage, task)).toMatchObject({ holds: true, stop_reason: 'complete' });
  });
});

it('holds for no task that a model leaves undone', { timeout: 120_000 }, async () => {
  const lazy = { ...stage, world: stage.world };
  const wanted = tasks.filter(({ id }) =>
    ['cap-declined', 'search-worst', 'check-off', 'curate-declined'].includes(id),
  );
  for (const task of wanted) {
    const idle = { ...task, uses: () => [] };
    expect(await doTask(lazy, idle), task.id).toMatchObject({ holds: false });
  }
});
