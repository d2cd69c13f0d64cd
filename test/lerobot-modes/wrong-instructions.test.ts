import { expect, it } from 'vitest';
import { seededRandom } from '#core';
import { recordTake } from '../../src/apps/samples/teleop/take.ts';
import { collectRows, concludeComparisons } from '../../src/quality/readiness/compare-episodes.ts';
import { numericStream, testEpisode, testSubject } from '../../src/quality/readiness/test-subject.ts';
import { dims, type RecordedEpisode, recordEpisode, recordSet } from './recording.ts';

/** Returns the indices of the episodes whose text is said to be wrong. */
function findWrongTexts(episodes: readonly Pick<RecordedEpisode, 'state' | 'task'>[]): number[] {
  const rows = episodes.map(({ state, task }, i) => {
    const at = (row: number, d: number) => state[row * dims + d];
    const stream = numericStream('observation.state', 'state', state.length / dims, dims, at);
    const episode = testEpisode(i, [stream], { tasks: [{ text: task, source: 'x' }] });
    return { episode: episode.id, rows: collectRows(testSubject(episode)) };
  });
  const { getNotes } = concludeComparisons(rows, { declared_rate_hz: null, declared_cameras: [] });
  return rows.flatMap(({ episode }, i) => {
    const note = getNotes(episode).wrong_instruction;
    return note !== undefined && Number(note.confidence) > 0.5 && note.rare === false ? [i] : [];
  });
}

const seeds = Array.from({ length: 12 }, (_, i) => 101 + i);

it('one wrong instruction among nine episodes of three tasks is found, and no right one is accused', () => {
  let planted = 0;
  let found = 0;
  for (const seed of seeds) {
    const { episodes } = recordSet(seed);
    expect(findWrongTexts(episodes)).toEqual([]);
    for (const [i, { task: right }] of episodes.entries()) {
      const task = episodes.find((other) => other.task !== right)!.task;
      const accused = findWrongTexts(episodes.map((one, k) => (k === i ? { ...one, task } : one)));
      expect(accused.filter((k) => k !== i)).toEqual([]);
      planted++;
      found += accused.length;
    }
  }
  expect(found / planted).toBeGreaterThan(0.9);
});

it('episodes that fail, stop or move little keep their instruction', () => {
  const change = (state: Float32Array, at: (row: number, rows: number) => number, scale = 1) => {
    const rows = state.length / dims;
    return state.map((_, i) => {
      const d = i % dims;
      return state[d] + scale * (state[at(Math.floor(i / dims), rows) * dims + d] - state[d]);
    });
  };
  const changes = [
    (state: Float32Array) => state.slice(0, Math.floor((0.4 * state.length) / dims) * dims),
    (state: Float32Array) => change(state, () => 0),
    (state: Float32Array) => change(state, (row, rows) => Math.min(row, rows >> 1)),
    (state: Float32Array) => change(state, (row, rows) => rows - 1 - row),
    (state: Float32Array) => change(state, (row, rows) => Math.max(0, row - (rows >> 2))),
    (state: Float32Array) => change(state, (row) => row, 0.5),
    (state: Float32Array) => change(state, (row) => row, 1.5),
  ];
  for (const seed of seeds.slice(0, 4)) {
    const { episodes } = recordSet(seed);
    for (const i of episodes.keys())
      for (const changeState of changes)
        expect(
          findWrongTexts(
            episodes.map((one, k) => (k === i ? { ...one, state: changeState(one.state) } : one)),
          ),
        ).toEqual([]);
  }
});

it('instructions that say nothing about the motion accuse hardly any episode', () => {
  const texts = ['put the cube into the bowl', 'push the cube to the left', 'wipe the table'];
  let sets = 0;
  let accused = 0;
  for (const seed of seeds.slice(0, 6)) {
    const random = seededRandom(seed);
    const takes = [0, 3, 6, 9, 12, 15, 18, 21, 24].map((take) =>
      recordEpisode(recordTake(seed, take), take, seed, 30),
    );
    for (let round = 0; round < 10; round++) {
      sets++;
      if (findWrongTexts(takes.map((take) => ({ ...take, task: random.pick(texts) }))).length > 0) accused++;
    }
  }
  expect(accused / sets).toBeLessThanOrEqual(0.05);
});
