import { expect, it } from 'vitest';
import { type CheckOutcome, checkRows, measuredInShort, scoredWeight } from './outcomes.ts';

const base = { threshold: 0.5, weight: 2 };
const checks: readonly CheckOutcome[] = [
  { ...base, id: 'sync', status: 'scored', score: 1, inputs: {} },
  { ...base, id: 'labels', status: 'inapplicable', reason: 'it carries no labels' },
  { ...base, id: 'clock', status: 'not_assessable', reason: 'it has no clock' },
  { ...base, id: 'tracks', status: 'inapplicable', reason: 'it carries no labels' },
];

it('keeps what could not be measured among the rows, and names what does not concern the episode by its reason', () => {
  const { rows, idle } = checkRows(checks);
  expect(rows.map(({ id }) => id)).toEqual(['sync', 'clock']);
  expect(idle).toEqual([{ reason: 'it carries no labels', ids: ['labels', 'tracks'] }]);
  expect(scoredWeight(checks)).toBe(2);
});

it('tells the first numbers that were measured with their units, and counts where there are none', () => {
  expect(measuredInShort({ name: 'x', duration_s: 13.125, gap_ms: -4, count: 3, more: 4 })).toBe(
    'duration 13.13 s, gap −4 ms, count 3',
  );
  expect(measuredInShort({ streams: ['a'] })).toBe('1 value');
});
