import { expect, it } from 'vitest';
import { readFilter, toggled } from '../../web/src/screens/episodes/filter.ts';

it('an address gives the filter that it names', () => {
  const search = {
    decision: ['reject', 'accept'],
    flag: 'camera_black',
    min_score: '0.25',
    max_score: 0.5,
    sort: '-score',
    view: 'pictures',
  };
  expect(readFilter(search)).toEqual({
    decision: ['accept', 'reject'],
    flag: ['camera_black'],
    min_score: 0.25,
    max_score: 0.5,
    sort: '-score',
    view: 'pictures',
  });
});

it.each([
  [{}],
  [{ decision: 'maybe', review_decision: [1, null], flag: '', task: ['x'.repeat(201)] }],
  [{ max_score: 'seven', sort: 'upside-down', outcome: {} }],
  [{ max_score: 1.5, view: 'film' }],
])('what makes no sense in %j is left out', (search) => {
  expect(readFilter(search)).toEqual({});
});

it('a value is added, taken out, and leaves nothing behind', () => {
  expect(toggled(undefined, 'a')).toEqual(['a']);
  expect(toggled(['a'], 'b')).toEqual(['a', 'b']);
  expect(toggled(['a'], 'a')).toBeUndefined();
});
