import { describe, expect, it } from 'vitest';
import type { Stream } from '#core/episode';
import {
  filterRows,
  judgeWithCheck,
  mapValues,
  numericStream,
  swingingArm,
  testEpisode,
  withTimestamps,
} from '../test-subject.ts';
import { timelineIntegrity } from './timeline-integrity.ts';

const judge = (streams: readonly Stream[]) => judgeWithCheck(timelineIntegrity, testEpisode(0, streams));
const arm = (seed = 1, rows = 300) => swingingArm(seed, rows);
const recorded = (seed = 1, rows = 300) => arm(seed, rows).map((stream) => withTimestamps(stream, 'header'));
/** Removes rows and then recomputes the timestamps. */
const recount = (streams: readonly Stream[], keep: (row: number) => boolean) =>
  streams.map((stream) => withTimestamps(filterRows(stream, keep), 'synthesised'));
const everyThird = (row: number) => row % 10 > 2 || row % 7 > 4;

describe('the timeline of recorded stamps', () => {
  it('scores 1 when even', () => {
    expect(judge(recorded())).toMatchObject({ status: 'measured', score: 1, flags: [] });
  });

  it('does not mind a little jitter, nor a sample that came late and was made up for', () => {
    const jittered = recorded().map((stream) =>
      withTimestamps(stream, 'log', (row) => (row + 0.2 * Math.sin(row * 7)) / 30),
    );
    expect(judge(jittered).score).toBe(1);
    const late = recorded().map((stream) =>
      withTimestamps(stream, 'log', (row) => (row === 100 ? row + 0.9 : row) / 30),
    );
    expect(judge(late).score).toBe(1);
  });

  it('flags two swapped stamps as a clock that runs backwards, and nothing else', () => {
    const swapped = recorded().map((stream) =>
      withTimestamps(stream, 'header', (row) => (row === 50 ? 51 : row === 51 ? 50 : row) / 30),
    );
    const found = judge(swapped);
    expect(new Set(found.flags)).toEqual(new Set(['timestamps_not_monotonic']));
    expect(found.marked).toBeGreaterThan(0);
    expect(found.messages[0]).toContain('backwards once');
  });

  it('flags one repeated stamp in a few hundred, and a stamp that is no number', () => {
    const repeated = withTimestamps(recorded()[0], 'header', (row) => (row === 80 ? 79 : row) / 30);
    expect(judge([repeated]).flags).toEqual(['timestamps_duplicated']);
    const nan = withTimestamps(recorded()[0], 'header', (row) => (row === 80 ? Number.NaN : row / 30));
    expect(judge([nan]).flags).toContain('timestamps_not_finite');
  });

  it('grades lost samples: a few are a gap, a third are missing rows', () => {
    const few = judge(recorded().map((stream) => filterRows(stream, (row) => row < 100 || row >= 110)));
    expect(new Set(few.flags)).toEqual(new Set(['timeline_gap']));
    const many = judge(recorded().map((stream) => filterRows(stream, everyThird)));
    expect(new Set(many.flags)).toEqual(new Set(['rows_missing']));
    expect(many.score).toBeLessThan(few.score);
  });

  it('interprets a run of equally long steps as a sender that slowed down, not as lost samples', () => {
    const slow = (row: number) => row + 5 * Math.min(60, Math.max(0, row - 100));
    const drawing = withTimestamps(recorded()[0], 'log', (row) => slow(row) / 30);
    expect(judge([{ ...drawing, declared_rate_hz: null }]).flags).toEqual(['clock_jitter']);
    const torn = withTimestamps(recorded()[0], 'log', (row) => (row + 30 * Math.floor(row / 100)) / 30);
    expect(judge([{ ...torn, declared_rate_hz: null }]).flags).toEqual(['rows_missing']);
  });

  it('ignores the jitter of setpoints in a log whose recorder reports its losses', () => {
    const sticks = { ...withTimestamps(arm()[1], 'hardware', (row) => (row + 0.4 * (row % 3)) / 10) };
    const logged = judgeWithCheck(
      timelineIntegrity,
      testEpisode(0, [{ ...sticks, declared_rate_hz: null }], { dropouts: [] }),
    );
    expect(logged).toMatchObject({ score: 1, flags: [] });
  });

  it('interprets recurring steps as the rate of a topic if the recorder reports its losses', () => {
    const thinned = {
      ...withTimestamps(arm()[0], 'hardware', (row) => (row + Math.floor(row / 4)) / 250),
      declared_rate_hz: null,
    };
    expect(judge([thinned]).flags).toEqual(['rows_missing']);
    const logged = (stream: Stream) =>
      judgeWithCheck(timelineIntegrity, testEpisode(0, [stream], { dropouts: [] }));
    expect(logged(thinned)).toMatchObject({ score: 1, flags: [] });
    expect(logged(filterRows(thinned, (row) => row < 60 || row >= 110)).flags).toEqual(['timeline_gap']);
  });

  it('takes pauses of samples that come when something happens for meant, and their backward stamps for faults', () => {
    const [state, action] = recorded();
    const keys = { ...filterRows(action, (row) => row % 60 < 25), event_driven: 'keys' };
    expect(judge([state, keys])).toMatchObject({ score: 1, flags: [] });
    const twice = withTimestamps(keys, 'log', (row) => (row === 50 ? 49 : row) / 30);
    expect(judge([state, twice])).toMatchObject({ score: 1, flags: [] });
    const back = withTimestamps(keys, 'log', (row) => (row === 50 ? 40 : row) / 30);
    expect(judge([state, back]).flags).toEqual(['timestamps_not_monotonic']);
    expect(judge([keys]).status).toBe('not_assessable');
  });

  it('flags a clock that runs at another rate than declared, however it was made', () => {
    for (const provenance of ['header', 'synthesised'] as const) {
      const slow = arm().map((stream) => withTimestamps(stream, provenance, (row) => row / 15));
      expect(new Set(judge(slow).flags)).toEqual(new Set(['rate_mismatch']));
    }
  });

  it('flags steps that scatter widely', () => {
    const scattered = withTimestamps(recorded()[0], 'log', (row) => (row + (row % 2) * 0.9) / 30);
    expect(judge([{ ...scattered, declared_rate_hz: null }]).flags).toContain('clock_jitter');
  });

  it('reports a fault of a clock that two streams share once', () => {
    const [state, action] = recorded();
    const time_s = state.clocks[0].time_s.slice();
    time_s[9] = time_s[11];
    const clocks = [{ ...state.clocks[0], time_s }];
    expect(
      judge([
        { ...state, clocks },
        { ...action, clocks },
      ]).flags,
    ).toEqual(['timestamps_not_monotonic']);
  });
});

describe('the timeline of computed stamps', () => {
  it('is not assessable when even, and says so by its provenance', () => {
    const found = judge(arm());
    expect(found.status).toBe('not_assessable');
    expect(found.reason).toContain('synthesised');
  });

  it('is damaged by a hole in the grid all the same', () => {
    expect(new Set(judge(arm().map((stream) => filterRows(stream, everyThird))).flags)).toEqual(
      new Set(['rows_missing']),
    );
  });

  it('finds rows taken out before the stamps were computed, by state and action leaping together', () => {
    const some = judge(recount(arm(), (row) => row % 12 !== 5));
    expect(some.flags).toEqual([expect.stringMatching(/timeline_gap|rows_missing/)]);
    const third = judge(recount(arm(), everyThird));
    expect(third.flags).toEqual(['rows_missing']);
    expect(third.score).toBeLessThanOrEqual(some.score);
  });

  it('finds a block taken out by one row at which everything leaps', () => {
    const found = judge(recount(arm(3, 400), (row) => row < 150 || row >= 210));
    expect(found.flags).toEqual(['rows_missing']);
    expect(found.marked).toBe(1);
  });

  it('finds several short blocks in one short episode, and none where the recorder holds rows', () => {
    const stalls = [24, 46, 68];
    const short = (seed: number) => arm(seed, 90);
    const found = [1, 2, 3, 4, 5, 6].filter(
      (seed) =>
        judge(recount(short(seed), (row) => !stalls.some((stall) => row >= stall && row < stall + 6))).flags
          .length > 0,
    );
    expect(found.length).toBeGreaterThanOrEqual(5);
    const held = arm(2, 300).map((stream) => {
      const { values, dims } = stream.series!;
      const series = { dims, values: values.map((_, i) => values[i - (i % (4 * dims)) + (i % dims)]) };
      return withTimestamps({ ...stream, series }, 'synthesised');
    });
    expect(judge(held).flags).toEqual([]);
    // Two fingers of a hand that move at once, again and again.
    const fingers = arm(4, 300).map((stream) =>
      withTimestamps(
        mapValues(stream, (value, row, d) =>
          d < 2 ? 0.004 * Math.floor(row / 40) + 2e-4 * Math.sin(7 * row + d) : value,
        ),
        'synthesised',
      ),
    );
    expect(judge(fingers).flags).toEqual([]);
  });
});

describe('what has no timeline', () => {
  it('is not assessable without a clock or without samples', () => {
    const still = { ...arm()[0], clocks: [], clock: null };
    expect(judge([still]).status).toBe('not_assessable');
    expect(judge([]).status).toBe('not_assessable');
    expect(judge([numericStream('s', 'state', 0, 6, () => 0)]).status).toBe('not_assessable');
    expect(judge([numericStream('s', 'state', 1, 6, () => 0)]).status).toBe('not_assessable');
  });
});
