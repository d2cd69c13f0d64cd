import { describe, expect, it } from 'vitest';
import type { Task } from '../steps/tasks.ts';
import { TaskRanges } from './dispatcher.ts';

function tasks(bytes: readonly number[]): Task[] {
  return bytes.map((size, place) => {
    const unit = { id: `${place}`, expected_episodes: 1, first_index: place, bytes: size, selector: null };
    return { place, dataset: 0, unit };
  });
}

function drain(ranges: TaskRanges, order: readonly number[]): number[][] {
  const taken: number[][] = order.map(() => []);
  for (let turn = 0; !ranges.empty; turn++) {
    const slot = order[turn % order.length];
    const task = ranges.next(slot);
    if (task !== undefined) taken[slot].push(task.place);
  }
  return taken;
}

describe('TaskRanges', () => {
  it('gives each worker a range of its own, of about equal bytes', () => {
    expect(drain(new TaskRanges(tasks([1e6, 1e6, 1e6, 1e6]), 2), [0, 1])).toEqual([
      [0, 1],
      [2, 3],
    ]);
    expect(drain(new TaskRanges(tasks([6e6, 1e6, 1e6, 1e6, 1e6, 1e6]), 2), [0, 1])[0]).toContain(0);
  });

  it('gives every task once, also to workers that are faster or more than there are tasks', () => {
    for (const workers of [1, 2, 3, 7]) {
      const ranges = new TaskRanges(tasks([5, 0, 9, 2, 2, 0]), workers);
      const order = Array.from({ length: workers }, (_, slot) => slot);
      expect(drain(ranges, order).flat().sort()).toEqual([0, 1, 2, 3, 4, 5]);
    }
    const ranges = new TaskRanges(tasks([1, 1, 1, 1, 1, 1]), 3);
    const all = Array.from({ length: 6 }, () => ranges.next(2)!.place);
    expect(all.sort()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(ranges.next(0)).toBeUndefined();
  });
});
