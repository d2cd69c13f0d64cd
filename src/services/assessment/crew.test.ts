import { describe, expect, it } from 'vitest';
import { AssayError } from '#kernel';
import { Crew } from './crew.ts';
import { type Hand, HandLost } from './hand.ts';
import type { JudgedUnit, MeasuredUnit, Task } from './messages.ts';

function task(place: number): Task {
  const unit = { id: `file-${place}`, expected_episodes: 1, first_index: place, bytes: 1, selector: null };
  return { place, dataset: 0, unit };
}

function measured(place: number): MeasuredUnit {
  const rows = { episodes: [`episode-${place}`], indices: [place], lines: {} };
  return { place, episodes: 1, kinds: {}, streams: {}, rows, findings: [], unreadable: 0 };
}

function judged(place: number): JudgedUnit {
  return { place, verdicts: new Uint8Array(), receipts: null, rendered: null };
}

/** A worker that keeps what it measured, and fails over the places named. */
class FakeHand implements Hand {
  readonly #kept = new Set<number>();
  readonly #fail: (place: number) => Error | null;
  readonly #replacements: Hand[];

  constructor(fail: (place: number) => Error | null, replacements: Hand[] = []) {
    this.#fail = fail;
    this.#replacements = replacements;
  }

  async measure({ place }: Task): Promise<MeasuredUnit> {
    await new Promise((resolve) => setTimeout(resolve, 1));
    const error = this.#fail(place);
    if (error !== null) throw error;
    this.#kept.add(place);
    return measured(place);
  }

  async judge(place: number): Promise<JudgedUnit> {
    if (!this.#kept.delete(place)) throw new Error(`unit ${place} is not kept here`);
    return judged(place);
  }

  replace(): Hand {
    return this.#replacements.shift()!;
  }

  async stop(): Promise<void> {}
}

const tasks = [0, 1, 2, 3, 4, 5].map(task);
const never = () => null;

describe('Crew', () => {
  it('gives up only the unit a worker was lost over; what it had kept is measured again', async () => {
    const lost = new FakeHand(
      (place) => (place === 4 ? new HandLost('out of memory') : null),
      [new FakeHand(never)],
    );
    const taken: number[] = [];
    const crew = new Crew([lost], ({ place }) => taken.push(place));
    await crew.measure(tasks);
    expect(crew.failed.map(({ finding }) => [finding.code, finding.path])).toEqual([
      ['worker_lost', 'file-4'],
    ]);
    const units = await crew.judge(new Map(), () => {});
    expect(units.map(({ place }) => place)).toEqual([0, 1, 2, 3, 5]);
    expect(taken.filter((place) => place === 0)).toHaveLength(2);
  });

  it('measures what a lost worker gave back although the others had finished', async () => {
    const slow = new FakeHand(
      (place) => (place === 5 ? new HandLost('killed') : null),
      [new FakeHand(never)],
    );
    const crew = new Crew([slow, new FakeHand(never)], () => {});
    await crew.measure(tasks);
    const units = await crew.judge(new Map(), () => {});
    const places = [...units, ...crew.failed.map((failed) => failed.task)].map(({ place }) => place);
    expect(places.sort()).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('turns a unit that cannot be read into a finding and goes on', async () => {
    const error = new AssayError('unreadable_input', 'the footer is damaged', {
      path: 'b.parquet',
      place: 'byte 12',
    });
    const crew = new Crew([new FakeHand((place) => (place === 1 ? error : null))], () => {});
    await crew.measure(tasks);
    expect(crew.failed[0].finding).toMatchObject({
      path: 'b.parquet',
      message: 'the footer is damaged (at byte 12)',
    });
    expect(await crew.judge(new Map(), () => {})).toHaveLength(5);
  });

  it('ends at once when there is no room for output', async () => {
    const full = new AssayError('output_unwritable', 'no space left');
    const crew = new Crew([new FakeHand((place) => (place === 2 ? full : null))], () => {});
    await expect(crew.measure(tasks)).rejects.toBe(full);
  });
});
