import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { curationSet } from '#test/support/curation-set';
import { rounds } from '#test/support/tiers';
import { resolvePlan } from './plan.ts';
import { strategies } from './registry.ts';
import { runPlan } from './run-plan.ts';

const sets = fc
  .record({
    seed: fc.nat(1000),
    count: fc.integer({ min: 0, max: 40 }),
    missing: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ seed, count, missing }) => curationSet(seed, count, missing));
const stage = fc
  .constantFrom(...strategies.ids)
  .map((strategy) => ({ strategy, parameters: strategy === 'flag' ? { codes: ['camera_frozen'] } : {} }));
const plans = fc
  .record({ seed: fc.nat(0xffffffff), stages: fc.array(stage, { minLength: 1, maxLength: 6 }) })
  .map((plan) => resolvePlan(plan));

describe('a curation plan', () => {
  it('keeps or drops every episode, each dropped one by one stage with a reason', () => {
    fc.assert(
      fc.property(plans, sets, (plan, set) => {
        const { kept, dropped, stages, before, after } = runPlan(plan, set);
        const ids = set.map(({ id }) => id).sort();
        expect([...kept, ...dropped.map(({ id }) => id)].sort()).toEqual(ids);
        for (const { reason, stage, strategy } of dropped) {
          expect(reason).not.toBe('');
          expect(plan.stages[stage - 1].strategy).toBe(strategy);
        }
        expect(before.episodes).toBe(set.length);
        expect(after.episodes).toBe(kept.length);
        let left = set.length;
        for (const { looked_at, dropped: gone } of stages) {
          expect(looked_at).toBe(left);
          left -= gone;
        }
        expect(left).toBe(kept.length);
        for (const name of ['by_decision', 'by_task', 'by_robot', 'by_operator', 'by_outcome'] as const)
          expect(after[name].reduce((sum, { episodes }) => sum + episodes, 0)).toBe(kept.length);
      }),
      { numRuns: rounds(12, 60) },
    );
  });

  it('is the same for the same episodes in any order, and the same seed', () => {
    fc.assert(
      fc.property(plans, sets, fc.nat(), (plan, set, turn) => {
        const at = set.length === 0 ? 0 : turn % set.length;
        const turned = [...set.slice(at).reverse(), ...set.slice(0, at)];
        expect(runPlan(plan, turned)).toEqual(runPlan(plan, set));
      }),
      { numRuns: rounds(8, 40) },
    );
  });

  it('chooses the same after a stage for held-out episodes, which does not count to the maximum', () => {
    const stages = Array.from({ length: 30 }, () => ({ strategy: 'random', parameters: { keep: 0.97 } }));
    const heldOut = { strategy: 'held_out' };
    const set = curationSet(3, 40, 0);
    const first = { ...set[0], id: 'zz_held', held_out: 'exam' };
    const plain = runPlan(resolvePlan({ seed: 4, stages }), set);
    const result = runPlan(resolvePlan({ seed: 4, stages: [heldOut, ...stages] }), [...set, first]);
    expect(result.kept).toEqual(plain.kept);
    expect(plain.kept.length).toBeLessThan(set.length);
    expect(resolvePlan(result.plan)).toEqual(result.plan);
    const tooMany = [...stages, stages[0]];
    expect(() => resolvePlan({ stages: tooMany })).toThrow(/at most 30 stages besides held_out/);
  });

  it('selects other episodes under another seed, with another hash', () => {
    const set = curationSet(1, 40, 0);
    const hashes = [1, 2].map((seed) =>
      runPlan(resolvePlan({ seed, stages: [{ strategy: 'random' }] }), set),
    );
    expect(hashes[0].kept).not.toEqual(hashes[1].kept);
    expect(hashes[0].plan_hash).not.toBe(hashes[1].plan_hash);
    expect(hashes[0].input_hash).toBe(hashes[1].input_hash);
  });

  it('keeps and counts episodes that a stage cannot assess', () => {
    const set = curationSet(3, 20, 1);
    for (const { id, needs } of strategies) {
      if (needs.length === 0) continue;
      const { kept, stages } = runPlan(resolvePlan({ stages: [{ strategy: id }] }), set);
      expect(kept, id).toHaveLength(set.length);
      expect(stages[0], id).toMatchObject({ not_assessable: set.length, dropped: 0 });
      expect(
        stages[0].reasons.reduce((sum, { episodes }) => sum + episodes, 0),
        id,
      ).toBe(set.length);
    }
  });

  it.each([
    ['score', 'least', 0, 1, true],
    ['length', 'least_s', 0, 30, true],
    ['diversity', 'keep', 0, 1, false],
    ['demonstration_information', 'keep', 0, 1, false],
    ['random', 'keep', 0, 1, false],
    ['balance', 'ratio', 0.1, 5, false],
    ['outlier', 'limit', 1, 20, false],
  ] as const)('drops no fewer by %s as its %s grows stricter', (strategy, name, low, high, more) => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(sets, share, share, (set, one, other) => {
        const [mild, strict] = [one, other].sort((a, b) => (more ? a - b : b - a));
        const kept = [mild, strict].map(
          (at) =>
            runPlan(
              resolvePlan({ stages: [{ strategy, parameters: { [name]: low + at * (high - low) } }] }),
              set,
            ).kept,
        );
        for (const id of kept[1]) expect(kept[0]).toContain(id);
      }),
      { numRuns: rounds(8, 40) },
    );
  });
});

describe('a written plan', () => {
  const wrong = (plan: unknown): unknown => {
    try {
      resolvePlan(plan);
    } catch (thrown) {
      return thrown;
    }
    return null;
  };

  it.each([
    [{ stages: [] }, '/body/stages'],
    [{ stages: [{ strategy: 'best' }] }, '/body/stages/0/strategy'],
    [{ stages: [{ strategy: '__proto__' }] }, '/body/stages/0/strategy'],
    [{ stages: [{ strategy: 'score', parameters: { least: 2 } }] }, '/body/stages/0/parameters/least'],
    [{ stages: [{ strategy: 'score', parameters: { least: 'NaN' } }] }, '/body/stages/0/parameters/least'],
    [{ stages: [{ strategy: 'score', parameters: { lest: 0.5 } }] }, '/body/stages/0/parameters'],
    [{ stages: [{ strategy: 'flag' }] }, '/body/stages/0/parameters/codes'],
    [
      { stages: [{ strategy: 'length', parameters: { least_s: 5, most_s: 2 } }] },
      '/body/stages/0/parameters/least_s',
    ],
    [{ seed: -1, stages: [{ strategy: 'random' }] }, '/body/seed'],
    [{ seed: 1.5, stages: [{ strategy: 'random' }] }, '/body/seed'],
    [{ stages: Array(31).fill({ strategy: 'random' }) }, '/body/stages'],
    [[], '/body'],
    [null, '/body'],
  ])('%j is refused at %s', (plan, pointer) => {
    expect(wrong(plan)).toMatchObject({
      code: 'invalid_request',
      details: { errors: [expect.objectContaining({ pointer })] },
    });
  });

  it('takes any strategy without parameters, but for the one that has no default', () => {
    for (const id of strategies.ids)
      if (id !== 'flag') expect(wrong({ stages: [{ strategy: id }] })).toBeNull();
  });

  it('fills in defaults, so that they are part of the hash', () => {
    expect(resolvePlan({ stages: [{ strategy: 'near_duplicate' }] })).toEqual({
      seed: 0,
      stages: [{ strategy: 'near_duplicate', parameters: { by: 'motion', distance: 0.05 } }],
    });
  });
});
