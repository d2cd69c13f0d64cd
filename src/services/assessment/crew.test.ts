import { describe, expect, it } from 'vitest';
import { AssayError } from '#kernel';
import { Crew } from './crew.ts';
import { type Hand, HandLost } from './hand.ts';
import type { JudgedUnit, JudgeTask, MeasuredUnit, Task } from './messages.ts';

function task(place: number): Task {
  const unit = { id: `file-${place}`, expected_episodes: 1, first_index: place, bytes: 1, selector: null };
  return { place, dataset: 0, unit };
}

function measured(place: number): MeasuredUnit {
  const rows = { episodes: [`episode-${place}`], indices: [place], lines: {} };
  const kept = { bytes: new Uint8Array() };
  return { place, dataset: 0, kept, episodes: 1, kinds: {}, streams: {}, rows, findings: [], unreadable: 0 };
}

function judged(place: number): JudgedUnit {
  return { place, verdicts: new Uint8Array(), receipts: null, rendered: null };
}

/** A worker that fails over the places named. */
class FakeHand implements Hand {
  readonly #fail: (place: number) => Error | null;

  constructor(fail: (place: number) => Error | null) {
    this.#fail = fail;
  }

  async measure({ place }: Task): Promise<MeasuredUnit> {
    await new Promise((resolve) => setTimeout(resolve, 1));
    const error = this.#fail(place);
    if (error !== null) throw error;
    return measured(place);
  }

  async judge({ place }: JudgeTask): Promise<JudgedUnit> {
    return judged(place);
  }

  async stop(): Promise<void> {}
}

const tasks = [0, 1, 2, 3, 4, 5].map(task);
const nothing = () => {};

describe('Crew', () => {
  it('gives up only the unit a worker was lost over and hires another', async () => {
    let hired = 0;
    const crew = new Crew(2, () => {
      hired++;
      return new FakeHand((place) => (place === 4 ? new HandLost('out of memory') : null));
    });
    const taken: number[] = [];
    await crew.measure(tasks, ({ place }) => taken.push(place));
    expect(crew.failed.map(({ finding }) => [finding.code, finding.path])).toEqual([
      ['worker_lost', 'file-4'],
    ]);
    expect(taken.sort()).toEqual([0, 1, 2, 3, 5]);
    const units = await crew.judge(new Map(), nothing);
    expect(units.map(({ place }) => place)).toEqual([0, 1, 2, 3, 5]);
    expect(hired).toBe(3);
  });

  it('judges after a rest with threads hired anew', async () => {
    const hired: number[] = [];
    const crew = new Crew(2, (slot) => {
      hired.push(slot);
      return new FakeHand(() => null);
    });
    await crew.measure(tasks, nothing);
    await crew.rest();
    expect(await crew.judge(new Map(), nothing)).toHaveLength(6);
    expect(hired).toEqual([0, 1, 1]);
  });

  it('turns a unit that cannot be read into a finding and goes on', async () => {
    const error = new AssayError('unreadable_input', 'the footer is damaged', {
      path: 'b.parquet',
      place: 'byte 12',
    });
    const crew = new Crew(1, () => new FakeHand((place) => (place === 1 ? error : null)));
    await crew.measure(tasks, nothing);
    expect(crew.failed[0].finding).toMatchObject({
      path: 'b.parquet',
      message: 'the footer is damaged (at byte 12)',
    });
    expect(await crew.judge(new Map(), nothing)).toHaveLength(5);
  });

  it('ends at once when there is no room for output', async () => {
    const full = new AssayError('output_unwritable', 'no space left');
    const crew = new Crew(1, () => new FakeHand((place) => (place === 2 ? full : null)));
    await expect(crew.measure(tasks, nothing)).rejects.toBe(full);
  });
});
