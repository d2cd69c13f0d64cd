import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idsInFiles } from '#test/support/ids-in-files';
import type { EditableEpisode, EditedFeature } from './export-edit.ts';
import { exportEdits, planFeatures, planRowRanges, readEdits } from './registry.ts';

const rate_hz = 10;

/** An episode that rests, moves and rests, with holes behind some of its rows. */
const episode = fc
  .record({
    before: fc.integer({ min: 0, max: 30 }),
    moving: fc.integer({ min: 3, max: 60 }),
    after: fc.integer({ min: 0, max: 30 }),
    holes: fc.uniqueArray(fc.integer({ min: 1, max: 100 }), { maxLength: 4 }),
  })
  .map(
    ({
      before,
      moving,
      after,
      holes,
    }): EditableEpisode & { holes: number[]; before: number; moving: number } => {
      const rows = before + moving + after;
      const at = (row: number) => Math.min(moving, Math.max(0, row - before + 1));
      const own = holes.filter((row) => row < rows).sort((a, b) => a - b);
      const times = new Float64Array(rows);
      for (let row = 1; row < rows; row++)
        times[row] = times[row - 1] + (own.includes(row) ? 5 : 1) / rate_hz;
      const values = Float64Array.from({ length: rows * 2 }, (_, i) => at(i >> 1) * (i % 2 === 0 ? 1 : -3));
      return {
        id: 'episode_000000',
        rows,
        rate_hz,
        times,
        motion: [{ key: 'observation.state', values, dims: 2 }],
        holes: own,
        before,
        moving,
      };
    },
  );

const requests = fc.record({
  cut: fc.constantFrom([], ['holes']),
  shift: fc.constantFrom([], ['action=-3'], ['action=2', 'observation.state=-1']),
  trim: fc.constantFrom([], ['idle'], ['0.5..3'], ['..2'], ['1..']),
});

const feature = (key: string): EditedFeature => ({
  key,
  source: key,
  declaration: { dtype: 'float32', shape: [2], names: ['a', 'b'] },
  shift: 0,
  factors: [],
});

describe('the plan of edits', () => {
  it('keeps rows in order and each at most once, and never reads over an end', () => {
    fc.assert(
      fc.property(episode, requests, (one, request) => {
        let end = 0;
        for (const { first, until } of planRowRanges(readEdits(request), one)) {
          expect(first).toBeGreaterThanOrEqual(end);
          expect(until).toBeGreaterThan(first);
          expect(until).toBeLessThanOrEqual(one.rows);
          end = until;
        }
      }),
    );
  });

  it('of nothing keeps all', () => {
    fc.assert(
      fc.property(episode, (one) => {
        expect(planRowRanges(readEdits({}), one)).toEqual([{ first: 0, until: one.rows }]);
      }),
    );
  });

  it('leaves no hole in a part, and loses no row but lone ones', () => {
    fc.assert(
      fc.property(episode, (one) => {
        const ranges = planRowRanges(readEdits({ cut: ['holes'] }), one);
        for (const { first, until } of ranges)
          expect(one.holes.some((row) => row > first && row < until)).toBe(false);
        const starts = [0, ...one.holes, one.rows];
        const alone = starts.slice(1).filter((row, place) => row - starts[place] === 1).length;
        expect(ranges.reduce((sum, { first, until }) => sum + until - first, 0)).toBe(one.rows - alone);
      }),
    );
  });

  it('without rest keeps every row of the motion, and two more at each end where there are', () => {
    fc.assert(
      fc.property(episode, (one) => {
        const [range] = planRowRanges(readEdits({ trim: ['idle'] }), one);
        const from = Math.max(1, one.before);
        const until = Math.min(one.rows, one.before + one.moving - 1);
        expect(range).toEqual({ first: Math.max(0, from - 2), until: Math.min(one.rows, until + 2) });
      }),
    );
  });

  it('leaves nothing of an episode that rests throughout', () => {
    const still = {
      id: 'still',
      rows: 20,
      rate_hz,
      times: null,
      motion: [{ key: 's', values: new Float64Array(20), dims: 1 }],
    };
    expect(planRowRanges(readEdits({ trim: ['idle'] }), still)).toEqual([]);
  });

  it('gives up as many rows as the shifts reach over both ends', () => {
    const one = { id: 'one', rows: 20, rate_hz, times: null, motion: [] };
    const steps = readEdits({ shift: ['action=2', 'observation.state=-3'] });
    expect(planRowRanges(steps, one)).toEqual([{ first: 2, until: 17 }]);
    expect(planRowRanges(steps, { ...one, rows: 5 })).toEqual([]);
    const shifts = planFeatures(steps, ['action', 'observation.state', 'next.done'].map(feature));
    expect(shifts.map(({ shift }) => shift)).toEqual([2, -3, 0]);
  });

  it('converts the dimensions that are named, drops, and renames last', () => {
    const steps = readEdits({
      rename: ['action=act'],
      drop: ['next.done'],
      convert: ['action[b]=deg:rad', 'observation.state=mm:m'],
    });
    const all = planFeatures(steps, ['action', 'observation.state', 'next.done'].map(feature));
    expect(all.map(({ key, source, factors }) => ({ key, source, factors }))).toEqual([
      { key: 'act', source: 'action', factors: [{ dims: [1], by: Math.PI / 180, unit: 'rad' }] },
      {
        key: 'observation.state',
        source: 'observation.state',
        factors: [{ dims: [0, 1], by: 1e-3, unit: 'm' }],
      },
    ]);
  });
});

it('splits share all episodes out, and keep parts of one recording together', () => {
  const recordings = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 30 });
  const [step] = readEdits({ split: ['train=0.7', 'val=0.2', 'test=0.1'] });
  fc.assert(
    fc.property(recordings, (parts) => {
      const sources = parts.flatMap((count, recording) => new Array<number>(count).fill(recording));
      const ranges = Object.values(step.splits?.(sources) ?? {}).map((range) => range.split(':').map(Number));
      let end = 0;
      for (const [from, until] of ranges) {
        expect(from).toBe(end);
        expect(until).toBeGreaterThanOrEqual(from);
        if (until > 0 && until < sources.length) expect(sources[until]).not.toBe(sources[until - 1]);
        end = until;
      }
      expect(end).toBe(sources.length);
    }),
  );
});

describe('edits that cannot be made are refused', () => {
  it.each([
    { trim: ['rest'] },
    { trim: ['..'] },
    { trim: ['5..2'] },
    { cut: ['gaps'] },
    { shift: ['action'] },
    { shift: ['action=1.5'] },
    { shift: ['action=1', 'action=2'] },
    { convert: ['action=deg:m'] },
    { rename: ['action='] },
    { split: ['train=0.5', 'val=0.4'] },
    { split: ['train=0'] },
    { rename: ['action=a/b'] },
  ])('as they are asked for: %j', (request) => {
    expect(() => readEdits(request)).toThrow(expect.objectContaining({ code: 'usage' }));
  });

  it.each([
    { drop: ['observation.effort'] },
    { drop: ['timestamp'] },
    { shift: ['act=1'] },
    { convert: ['action[c]=deg:rad'] },
    { rename: ['action=observation.state'] },
  ])('where the set has no such feature: %j', (request) => {
    const features = ['timestamp', 'action', 'observation.state'].map(feature);
    const steps = readEdits(request);
    expect(() => planFeatures(steps, features)).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});

it('every edit is registered', () => {
  expect(idsInFiles(import.meta.dirname)).toEqual([...exportEdits.ids].sort());
});
