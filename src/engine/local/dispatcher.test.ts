import { describe, expect, it } from 'vitest';
import { AssayError } from '#core';
import type { CompareTask, ComparisonResult } from '../steps/comparer.ts';
import type { UnitOutcome } from '../steps/measure/measure-units.ts';
import type { JudgedUnit, JudgeTask, MeasuredUnit, Task } from '../steps/tasks.ts';
import { WorkerLost } from '../workers/worker-thread.ts';
import { type AssessWorker, Dispatcher } from './dispatcher.ts';

function task(place: number): Task {
  const unit = { id: `file-${place}`, expected_episodes: 1, first_index: place, bytes: 1, selector: null };
  return { place, dataset: 0, unit };
}

function measured(place: number): MeasuredUnit {
  const rows = { episodes: [`episode-${place}`], indices: [place], packed: {} };
  return {
    place,
    dataset: 0,
    kept: 'held',
    episodes: 1,
    kinds: {},
    streams: {},
    rows,
    findings: [],
    unreadable: 0,
  };
}

function judged(place: number): JudgedUnit {
  return { place, verdicts: [], receipts: null, rendered: null, pictures: 0 };
}

/** Outcome of some units that are not measured; an error is thrown. */
type Outcomes = (place: number) => UnitOutcome | Error | null;

/** A worker that holds what it measured, except for the units of `outcomes`. */
class FakeWorker implements AssessWorker {
  readonly #held = new Set<number>();
  readonly #outcomes: Outcomes;

  constructor(outcomes: Outcomes) {
    this.#outcomes = outcomes;
  }

  async measure({ place }: Task): Promise<UnitOutcome> {
    await new Promise((resolve) => setTimeout(resolve, 1));
    const outcome = this.#outcomes(place);
    if (outcome instanceof Error) throw outcome;
    if (outcome !== null) return outcome;
    this.#held.add(place);
    return { state: 'measured', unit: measured(place) };
  }

  async compare(task: CompareTask): Promise<ComparisonResult> {
    await new Promise((resolve) => setTimeout(resolve, task.comparison === 'slow' ? 5 : 0));
    return { findings: [], notes: [[task.comparison, {}]] };
  }

  async judge({ place, kept }: JudgeTask): Promise<JudgedUnit> {
    if (kept === 'held' && !this.#held.delete(place)) throw new Error(`unit ${place} is not held here`);
    return judged(place);
  }

  async stop(): Promise<void> {}
}

const tasks = [0, 1, 2, 3, 4, 5].map(task);
const nothing = () => {};

describe('Dispatcher', () => {
  it.each([1, 2, 3])('with %i workers gives up only the unit a worker was lost over', async (size) => {
    const dispatcher = new Dispatcher(size, () => {
      return new FakeWorker((place) => (place === 4 ? new WorkerLost('out of memory') : null));
    });
    await dispatcher.measure(tasks, nothing);
    expect(dispatcher.failed).toEqual([]);
    expect(dispatcher.unfinished.map(({ incomplete }) => incomplete.path)).toEqual(['file-4']);
    const units = await dispatcher.judge(new Map(), nothing);
    expect(units.map(({ place }) => place)).toEqual([0, 1, 2, 3, 5]);
  });

  it('gives comparisons in the order asked, whoever is done first', async () => {
    const facts = { declared_cameras: [], declared_rate_hz: null };
    const questions = ['slow', 'a', 'b', 'c'].map((comparison) => ({ comparison, facts, units: [] }));
    const dispatcher = new Dispatcher(2, () => new FakeWorker(() => null));
    const results = await dispatcher.compare(questions, false);
    expect(results.map(({ notes }) => notes[0][0])).toEqual(['slow', 'a', 'b', 'c']);
  });

  it('keeps the finding of a unit that cannot be read and goes on', async () => {
    const finding = {
      code: 'unreadable_input',
      severity: 'error',
      path: 'b',
      message: '',
      advice: '',
    } as const;
    const outcome: UnitOutcome = { state: 'unreadable', finding };
    const dispatcher = new Dispatcher(1, () => new FakeWorker((place) => (place === 1 ? outcome : null)));
    await dispatcher.measure(tasks, nothing);
    expect(dispatcher.failed).toEqual([{ task: tasks[1], finding }]);
    expect(await dispatcher.judge(new Map(), nothing)).toHaveLength(5);
  });

  it('ends at once when there is no room for output', async () => {
    const full = new AssayError('output_unwritable', 'no space left');
    const dispatcher = new Dispatcher(1, () => new FakeWorker((place) => (place === 2 ? full : null)));
    await expect(dispatcher.measure(tasks, nothing)).rejects.toBe(full);
  });
});
