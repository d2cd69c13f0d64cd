import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '#core';
import { curationSet } from '#test/support/curation-set';
import { rounds } from '#test/support/tiers';
import type { CurationEpisode, StateActionSample } from '../curation-episode.ts';
import type { MeasuredProbe } from './result.ts';
import { type ProbeOptions, runProbe } from './run-probe.ts';

const rows = 40;
type Act = (state: readonly number[], random: Random) => number[];

/** Both actions follow the states, in units far apart; the third never varies. */
const linear: Act = ([a, b, c]) => [2 * a - b + 5, 1000 * (b + 3 * c), 7];
const noise: Act = (_, random) => [random.normal(), random.normal(), random.normal()];

function sampleOf(random: Random, act: Act): StateActionSample {
  const states = Array.from({ length: rows }, () => [
    random.normal(),
    50 * random.normal(),
    3 + random.next(),
  ]);
  return {
    layout: 'state 3, action 3',
    ...{ state_dims: 3, action_dims: 3, rows },
    states: Float32Array.from(states.flat()),
    actions: Float32Array.from(states.flatMap((state) => act(state, random))),
  };
}

/** Creates episodes of one act; the members that `change` returns override theirs. */
function setOf(
  seed: number,
  count: number,
  act: Act,
  change: (i: number, random: Random) => Partial<CurationEpisode> = () => ({}),
): CurationEpisode[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, i) => ({
    id: `e${String(i).padStart(3, '0')}`,
    decision: 'accept',
    score: 0.9,
    flags: [],
    ...{ task: 'pour', robot: 'arm', operator: null, outcome: 'success', duration_s: 10 },
    content_hash: `${seed} ${i}`,
    sample: sampleOf(random, act),
    ...change(i, random),
  }));
}

const probe = (set: readonly CurationEpisode[], options: Partial<ProbeOptions> = {}) =>
  runProbe(set, { seed: 1, folds: 5, curated: { kept: set.map(({ id }) => id), how: 'all' }, ...options });

function measured(set: readonly CurationEpisode[], options: Partial<ProbeOptions> = {}): MeasuredProbe {
  const result = probe(set, options);
  if (result.status !== 'measured') throw new Error(result.reason);
  return result;
}

function errorOf({ subsets }: MeasuredProbe, id: string, policy: string) {
  const outcome = subsets.find((subset) => subset.id === id)?.outcome;
  const found = outcome?.status === 'measured' ? outcome.policies.find((one) => one.policy === policy) : null;
  if (found == null) throw new Error(`${id} has no ${policy}`);
  return found;
}

/** A third of the episodes rejected, their actions noise of the right size. */
const spoilt = (seed: number): CurationEpisode[] =>
  setOf(seed, 45, linear, (i, random) =>
    i % 3 === 0
      ? {
          decision: 'reject',
          sample: sampleOf(random, () => [60 * random.normal(), 6e4 * random.normal(), 7]),
        }
      : {},
  );

describe('the probe', () => {
  it('finds a linear law by ridge regression, whatever the units, and leaves out what never varies', () => {
    fc.assert(
      fc.property(fc.nat(10_000), (seed) => {
        const result = measured(setOf(seed, 15, linear));
        expect(errorOf(result, 'accepted', 'ridge').error).toBeLessThan(1e-4);
        expect(errorOf(result, 'accepted', 'nearest_neighbours').error).toBeLessThan(0.3);
        expect(result).toMatchObject({ action_dims: 3, compared_dims: 2 });
      }),
      { numRuns: rounds(3, 15) },
    );
  });

  it('learns nothing from noise: the error is that of answering with the mean, or worse', () => {
    fc.assert(
      fc.property(fc.nat(10_000), (seed) => {
        const result = measured(setOf(seed, 20, noise));
        expect(errorOf(result, 'accepted', 'ridge').error).toBeCloseTo(1, 1);
        // The mean of 5 unrelated actions adds a fifth of their variance.
        const { error } = errorOf(result, 'accepted', 'nearest_neighbours');
        expect(error).toBeGreaterThan(1.05);
        expect(error).toBeLessThan(1.4);
      }),
      { numRuns: rounds(3, 15) },
    );
  });

  it('shows with separate intervals that spoilt episodes in training cost, by each policy', () => {
    const result = measured(spoilt(3));
    for (const policy of ['ridge', 'nearest_neighbours']) {
      const [raw, accepted] = ['raw', 'accepted'].map((id) => errorOf(result, id, policy));
      expect(raw.interval[0]).toBeGreaterThan(accepted.interval[1]);
      expect(result.comparisons).toContainEqual(
        expect.objectContaining({
          ...{ policy, subset: 'accepted', against: 'raw', intervals_overlap: false },
          in_words: 'the intervals do not overlap: accepted predicts held-out actions better',
        }),
      );
    }
    expect(result.held_out).toMatchObject({ episodes: 30, pairs: 1200 });
    expect(result.subsets.map(({ training }) => training.episodes)).toEqual([39, 24, 39]);
  });

  it('says that the intervals overlap where half of the good episodes are as good as all', () => {
    const set = setOf(5, 40, (state, random) =>
      linear(state, random).map((value) => value + 300 * random.normal()),
    );
    const kept = set.filter((_, i) => i % 2 === 0).map(({ id }) => id);
    const { comparisons } = measured(set, { curated: { kept, how: 'half' } });
    const ridge = comparisons.filter(({ policy }) => policy === 'ridge');
    expect(ridge.map(({ in_words }) => in_words)).toEqual([
      'the same episodes',
      expect.stringContaining('the intervals overlap'),
      expect.stringContaining('the intervals overlap'),
    ]);
    expect(ridge[0].difference).toEqual({ value: 0, interval: [0, 0] });
  });

  it('gives the same bytes for the same seed in any order of episodes, and other folds for another', () => {
    const set = spoilt(7);
    const bytes = (episodes: readonly CurationEpisode[], seed: number) =>
      JSON.stringify(probe(episodes, { seed, curated: { kept: ['e001', 'e002'], how: 'two' } }));
    expect(bytes(set.toReversed(), 1)).toBe(bytes(set, 1));
    expect(bytes(set, 2)).not.toBe(bytes(set, 1));
  });

  it('measures every set without NaN, or gives the reason why not', () => {
    fc.assert(
      fc.property(
        fc.nat(10_000),
        fc.integer({ min: 2, max: 10 }),
        fc.constantFrom(0, 0.5),
        (seed, folds, missing) => {
          const set = curationSet(seed, 60, missing);
          const result = probe(set, { folds, seed });
          expect(JSON.stringify(result)).not.toContain('null');
          if (result.status === 'not_assessable') return;
          for (const { outcome } of result.subsets)
            for (const { error, interval } of outcome.status === 'measured' ? outcome.policies : []) {
              expect(interval[0]).toBeLessThanOrEqual(error);
              expect(interval[1]).toBeGreaterThanOrEqual(error);
            }
        },
      ),
      { numRuns: rounds(8, 40) },
    );
  });

  it('never trains on an exact copy of a held-out episode', () => {
    // Each noise twice: a copy in training would be the nearest state, and bring the error down.
    const once = setOf(9, 12, noise);
    const twice = [...once, ...once.map((episode) => ({ ...episode, id: `${episode.id} again` }))];
    expect(errorOf(measured(twice), 'raw', 'nearest_neighbours').error).toBeGreaterThan(1);
  });

  it('passes over rows that are not finite, and counts episodes that have no others', () => {
    const broken = (values: number[]) => (i: number, random: Random) => {
      const sample = sampleOf(random, linear);
      if (i === 0) sample.actions.fill(Number.NaN);
      if (i === 1) sample.states.set(values, 0);
      return { sample, decision: i < 2 ? ('reject' as const) : ('accept' as const) };
    };
    const result = measured(setOf(2, 14, linear, broken([Number.NaN, Number.POSITIVE_INFINITY])));
    expect(result.subsets[0].left_out).toEqual([{ reason: 'no finite rows in its samples', episodes: 1 }]);
    expect(errorOf(result, 'raw', 'ridge').error).toBeLessThan(1e-4);
    const huge = measured(setOf(2, 14, linear, broken([3e38, -3e38])));
    expect(errorOf(huge, 'raw', 'ridge').error).toBeGreaterThan(errorOf(huge, 'accepted', 'ridge').error);
  });

  it.each<[string, readonly CurationEpisode[], string]>([
    ['no episode', [], '0 of 0 episodes are accepted'],
    [
      'nine accepted',
      setOf(1, 12, linear, (i) => (i < 3 ? { decision: 'review' } : {})),
      '9 of 12 episodes are accepted, and 9 of',
    ],
    ['one recording over and over', setOf(1, 30, linear, () => ({ content_hash: 'same' })), 'and 1 of those'],
    [
      'two layouts',
      setOf(1, 30, linear, (i, random) =>
        i < 15 ? { sample: { ...sampleOf(random, linear), layout: 'other' } } : {},
      ),
      '2 different layouts of states and actions',
    ],
    [
      'no actions',
      setOf(1, 30, linear, (_, random) => ({
        sample: { ...sampleOf(random, linear), action_dims: 0, actions: new Float32Array() },
      })),
      '30 of 30 episodes are accepted, and 0 of those are distinct and have states and actions',
    ],
    [
      'actions that never vary',
      setOf(1, 30, () => [1, 2, 3]),
      'no action dimension varies in the accepted episodes',
    ],
  ])('is not assessable with %s', (_, set, reason) => {
    expect(probe(set)).toMatchObject({ status: 'not_assessable', reason: expect.stringContaining(reason) });
  });

  it('does not measure a subset that leaves too little to train on, and measures the others', () => {
    const { subsets, comparisons } = measured(setOf(4, 20, linear), {
      curated: { kept: ['e001', 'e002', 'e003'], how: 'three' },
    });
    expect(subsets[2].outcome).toMatchObject({
      status: 'not_assessable',
      reason: expect.stringContaining('at least 5 are required'),
    });
    expect(comparisons).toHaveLength(2);
  });

  it('learns from history where the window holds it, and only there', () => {
    // What is done answers the state before: the first moment's, at the first.
    const late = (random: Random): StateActionSample => {
      const sample = sampleOf(random, linear);
      const actions = Float32Array.from(sample.states, (_, at) => sample.states[at < 3 ? at : at - 3]);
      return { ...sample, actions };
    };
    const set = setOf(5, 30, linear, (_, random) => ({ sample: late(random) }));
    const [blind, seeing] = [measured(set), measured(set, { window: 2 })];
    expect(errorOf(blind, 'raw', 'ridge').error).toBeGreaterThan(0.8);
    expect(errorOf(seeing, 'raw', 'ridge').error).toBeLessThan(0.01);
    expect(seeing).toMatchObject({ window_rows: 2, state_dims: 3, held_out: blind.held_out });
    expect(seeing.limits.join()).toContain('2 rows of state');
    expect(blind.limits.join()).toContain('a single row, without history');
  });

  it('takes the last finite moment before for history', () => {
    const set = setOf(6, 20, linear, (_, random) => {
      const sample = sampleOf(random, linear);
      sample.states[3 * 7] = Number.NaN;
      return { sample };
    });
    expect(errorOf(measured(set, { window: 4 }), 'raw', 'ridge').error).toBeLessThan(0.01);
  });
});
