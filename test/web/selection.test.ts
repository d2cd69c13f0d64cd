import { expect, it } from 'vitest';
import { toggleRange } from '../../web/src/screens/episodes/toggle-range.ts';

const items = ['a', 'b', 'c', 'd'].map((id) => ({ id }));
const empty = { ids: new Set<string>(), anchor: null };

it('a range goes from the episode that was changed last, wherever it is in the list now', () => {
  const one = toggleRange(items, empty, 1, false);
  expect(one).toEqual({ ids: new Set(['b']), anchor: 'b' });
  expect(toggleRange(items, one, 3, true).ids).toEqual(new Set(['b', 'c', 'd']));
  expect(toggleRange(items.toReversed(), one, 0, true).ids).toEqual(new Set(['b', 'c', 'd']));
});

it('a range without an episode that was changed before is one episode', () => {
  expect(toggleRange(items, empty, 2, true).ids).toEqual(new Set(['c']));
  expect(toggleRange(items, { ids: new Set(), anchor: 'gone' }, 2, true).ids).toEqual(new Set(['c']));
});

it('a range gets the new state of the episode that is clicked', () => {
  expect(toggleRange(items, { ids: new Set(['a', 'b', 'd']), anchor: 'b' }, 0, true).ids).toEqual(
    new Set(['d']),
  );
});
