import { describe, expect, test } from 'vitest';
import { type LayerMode, layerModes } from '#core/api';
import { layerState, type StateInputs } from './layer-status.ts';

/** Number of episodes that carry the layer and number that can carry it. */
const fills = { 'none there': [0, 0], none: [0, 5], some: [2, 5], all: [5, 5] } as const;
type Fill = keyof typeof fills;

const inputs = (
  mode: LayerMode,
  fill: Fill,
  {
    applicable = true,
    unavailable = null as string | null,
    under_way = false,
    pinned = false,
    not_produced = 0,
  } = {},
): StateInputs => ({
  layer: {
    id: 'depth',
    mode,
    from: pinned ? 'pinned' : 'project',
    reason: pinned ? 'nobody deployed it' : 'project setting',
    applicability: {
      applicable,
      reason: applicable ? null : 'state-only: no images',
      applicable_episodes: fills[fill][1],
    },
  },
  covered: fills[fill][0],
  not_produced,
  unavailable,
  under_way,
});

/**
 * Expected state of an applicable layer by mode and by how many episodes carry it, written by hand from the contract.
 */
const expected: Readonly<Record<LayerMode, Readonly<Record<Fill, string>>>> = {
  in_run: { 'none there': 'planned', none: 'planned', some: 'partial', all: 'ran' },
  on_demand: { 'none there': 'on_demand', none: 'on_demand', some: 'partial', all: 'ran' },
  off: { 'none there': 'off', none: 'off', some: 'off', all: 'off' },
};

const bools = [false, true];
const rows = layerModes.flatMap((mode) =>
  (Object.keys(fills) as Fill[]).flatMap((fill) =>
    bools.flatMap((lane) => bools.map((under_way) => ({ mode, fill, lane, under_way }))),
  ),
);

describe('the state of a layer', () => {
  test.each(rows)('set to $mode that $fill carry, with a lane: $lane, a job: $under_way', (row) => {
    const more = { unavailable: row.lane ? null : 'it has no lane', under_way: row.under_way };
    const { state, reason } = layerState(inputs(row.mode, row.fill, more));
    expect(state).toBe(expected[row.mode][row.fill]);
    expect(reason).toMatch(/\w/);
    expect(reason).not.toMatch(/null|undefined|NaN/);
    if (state === 'partial' || state === 'planned' || state === 'on_demand') {
      if (row.under_way) expect(reason).toMatch(/a job is queued or running$/);
      else if (!row.lane) expect(reason).toMatch(/cannot run here: it has no lane$/);
      else expect(reason).toMatch(/queue a job for depth|run/);
    }
    const inapplicable = layerState(inputs(row.mode, row.fill, { ...more, applicable: false }));
    expect(inapplicable).toMatchObject({
      state: 'inapplicable',
      reason: expect.stringContaining('state-only'),
    });
  });

  test.each(['none there', 'none', 'all'] as const)('that is not served is off, if %s carry it', (fill) => {
    const pinned = inputs('off', fill, { pinned: true, unavailable: 'not implemented' });
    const { state, reason } = layerState(pinned);
    expect([state, reason.startsWith('not implemented')]).toEqual(['off', true]);
    expect(reason).not.toContain('set modes');
  });
});

test('the reason tells whose word it is, what is there and what would change it', () => {
  const said = (...of: Parameters<typeof inputs>) => layerState(inputs(...of)).reason;
  expect(said('on_demand', 'some', { not_produced: 1 })).toMatch(/; not produced for 1, .* for the rest$/);
  expect(said('off', 'none')).toBe('set to off (project setting); set modes.depth to on_demand to allow it');
  expect(said('off', 'some')).toContain('; 2 of 5 applicable episodes are annotated;');
  expect(said('in_run', 'none there')).toMatch(/it runs with the first run that finds episodes$/);
  expect(said('in_run', 'some')).toBe(
    '2 of 5 applicable episodes are annotated; the next run annotates its own episodes; queue a job for depth for episodes of earlier runs',
  );
  expect(said('on_demand', 'some')).toMatch(/queue a job for depth for the rest$/);
  expect(said('on_demand', 'none')).toMatch(/queue a job for depth to run it$/);
  expect(said('on_demand', 'all')).toBe('all 5 applicable episodes are annotated');
});

test('a layer that was tried on all applicable episodes has run, though it had nothing to say about some', () => {
  const { state, reason } = layerState(inputs('on_demand', 'some', { not_produced: 3 }));
  expect([state, reason]).toEqual([
    'ran',
    '2 of 5 applicable episodes are annotated; not produced for 3, for which the layer had no result (their annotations give the reason)',
  ]);
  expect(layerState(inputs('on_demand', 'none', { not_produced: 5 })).state).toBe('on_demand');
});
