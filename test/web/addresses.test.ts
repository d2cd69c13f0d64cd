import { expect, it } from 'vitest';
import { moved, readPlan, withParameter } from '../../web/src/screens/curation/plan-address.ts';
import { queryOf, readSearch } from '../../web/src/screens/search/search-address.ts';

const like = 'ep_01m87sv6r2eczvwghmg5za2kw2';

it('an address of a search gives what it asks for', () => {
  const address = {
    text: 12,
    decision: ['accept', 'maybe'],
    like,
    from_s: 2,
    to_s: 4,
    min_score: 0.5,
    by: 'picture',
  };
  expect(queryOf(readSearch(address))).toEqual({
    filter: { text: '12', decision: ['accept'], min_score: 0.5 },
    rank: { by: 'like', episode_id: like, descriptor: 'picture', moment: { from_s: 2, to_s: 4 } },
  });
  expect(queryOf(readSearch({ about: ' wipe ' }))).toEqual({
    filter: {},
    rank: { by: 'text', text: 'wipe' },
  });
});

it.each([
  [{}],
  [{ like: 'ep_1', by: '../', about: '', min_score: 7, max_duration_s: -1, layer: [null], text: {} }],
  [{ sort: 'name', view: 'pictures', tags: [], from_s: 'x' }],
])('of a search what makes no sense in %j is left out', (address) => {
  expect(queryOf(readSearch(address))).toEqual({ filter: {}, rank: null });
});

it('half a moment is none', () => {
  expect(queryOf(readSearch({ like, from_s: 2 })).rank).toMatchObject({ moment: null });
});

it('an address of a plan gives its stages and seed, and leaves out what is none', () => {
  const stages = [
    { strategy: 'score', parameters: { least: 0.5 } },
    { strategy: 7 },
    null,
    { strategy: 'random' },
  ];
  expect(readPlan({ stages, seed: 3 })).toEqual({ stages: [stages[0], stages[3]], seed: 3 });
  expect(readPlan({ stages: 'score', seed: -1 })).toEqual({});
});

it('stages move within the plan, and a parameter that goes back to its default is not sent', () => {
  const stages = [{ strategy: 'a' }, { strategy: 'b' }];
  expect(moved(stages, 0, 1)).toEqual([{ strategy: 'b' }, { strategy: 'a' }]);
  expect(moved(stages, 0, -1)).toBe(stages);
  const set = withParameter({ strategy: 'score' }, 'least', 0.5);
  expect(set).toEqual({ strategy: 'score', parameters: { least: 0.5 } });
  expect(withParameter(set, 'least', undefined)).toEqual({ strategy: 'score' });
});
