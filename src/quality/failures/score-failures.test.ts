import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds } from '#test/support/tiers';
import { type DescribedFailure, describeFailure } from './describe-failure.ts';
import { readFailures } from './read-failures.ts';
import { type BaselineEpisode, scoreFailures } from './score-failures.ts';

const unit = (angle: number): Float32Array => Float32Array.of(Math.cos(angle), Math.sin(angle));

const episode = (i: number, more: Partial<BaselineEpisode> = {}): BaselineEpisode => ({
  id: `episode_${String(i).padStart(3, '0')}`,
  decision: 'accept',
  outcome: 'success',
  task: 'pour the tea',
  motion: unit(i / 100),
  layouts: { motion: 'state 2' },
  ...more,
});

const failure = (angle: number, more: Partial<DescribedFailure> = {}): DescribedFailure => ({
  id: 'f',
  by: 'motion',
  vector: unit(angle),
  layout: 'state 2',
  reason: null,
  episode: null,
  ...more,
});

const twenty = Array.from({ length: 20 }, (_, i) => episode(i));
const options = { neighbours: 2, novel_from: 0.95 };

describe('novelty', () => {
  it('is the share of the baseline whose k-th nearest is nearer than that of the failure', () => {
    const { failures } = scoreFailures(twenty, [failure(0.1), failure(2)], options);
    const far = (from: number, to: number) =>
      Math.hypot(Math.cos(from) - Math.cos(to), Math.sin(from) - Math.sin(to));
    expect(failures[1]).toMatchObject({ verdict: 'novel', novelty: 1 });
    expect(failures[1].distance).toBeCloseTo(far(2, 0.18), 4);
    // Its own point is at 0, the next 0.01 away; inside the baseline the second nearest is 0.01 away too.
    expect(failures[0]).toMatchObject({ verdict: 'near' });
    expect(failures[0].nearest.map(({ id }) => id)).toEqual([
      'episode_010',
      expect.stringMatching(/_0(09|11)$/),
    ]);
  });

  it('never falls as the failure goes away, whatever the baseline, and does not depend on its order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 12, maxLength: 40 }),
        fc.integer({ min: 1, max: 5 }),
        (angles, neighbours) => {
          const baseline = angles.map((angle, i) => episode(i, { motion: unit(angle) }));
          const asked = [1, 1.3, 1.9, 2.7].map((angle) => failure(angle));
          const { failures } = scoreFailures(baseline, asked, { neighbours, novel_from: 0.95 });
          const novelties = failures.map(({ novelty }) => novelty!);
          expect(novelties).toEqual(novelties.toSorted((a, b) => a - b));
          expect(
            scoreFailures(baseline.toReversed(), asked, { neighbours, novel_from: 0.95 }).failures,
          ).toEqual(failures);
        },
      ),
      { numRuns: rounds(10, 40) },
    );
  });

  it('leaves out of the baseline what is rejected, failed, or holds a failure', () => {
    const spoilt = [
      episode(90, { decision: 'reject', motion: unit(2) }),
      episode(91, { outcome: 'failure', motion: unit(2) }),
      episode(92, { motion: unit(2) }),
    ];
    const held = failure(2, { episode: 'episode_092' });
    const { baseline, failures } = scoreFailures([...twenty, ...spoilt], [held], options);
    expect(baseline.episodes).toBe(20);
    expect(failures[0].verdict).toBe('novel');
  });

  it('cannot be told of too few episodes, or of another layout', () => {
    const few = scoreFailures(twenty.slice(0, 9), [failure(0)], options).failures[0];
    expect(few).toMatchObject({ verdict: 'not_assessable', novelty: null, distance: null, nearest: [] });
    const other = scoreFailures(twenty, [failure(0, { layout: 'state 7' })], options).failures[0];
    expect(other.reason).toBe(
      '0 episodes can be compared with it by motion (state 7); at least 10 are required',
    );
  });

  it('goes by the words of the task where there is no trajectory', () => {
    const known = describeFailure({ id: 'a', task: 'Pour the TEA' }, null, null, false);
    const unknown = describeFailure({ id: 'b' }, 'fold a shirt', null, false);
    const { failures, gaps } = scoreFailures(twenty, [known, unknown], options);
    expect(failures.map(({ verdict, novelty }) => [verdict, novelty])).toEqual([
      ['near', 0],
      ['novel', 1],
    ]);
    expect(gaps.map(({ id }) => id)).toEqual(['episode_000', 'episode_001']);
    expect(describeFailure({ id: 'c' }, null, null, false).reason).toMatch(/neither trajectory/);
    expect(describeFailure({ id: 'd', task: '…' }, null, null, false).reason).toMatch(/no word/);
  });
});

describe('a file of failures', () => {
  it('may be JSON, with a list of records or an object that holds it', () => {
    const rows = [{ id: '1', task: 'pour', time_s: 2 }];
    for (const value of [rows, { failures: rows }])
      expect(readFailures(JSON.stringify(value), 'json', 'f.json').records).toEqual(rows);
  });

  it('may be CSV, and says which columns are not read', () => {
    const text = 'id,task,failure_mode,time_s,policy\nr1,"pour, slowly",gripper_slip,2.5,act\n,stack,,,act\n';
    const { records, notes } = readFailures(text, 'csv', 'f.csv');
    expect(records).toEqual([
      { id: 'r1', task: 'pour, slowly', failure_mode: 'gripper_slip', time_s: 2.5 },
      { id: 'line 3', task: 'stack' },
    ]);
    expect(notes).toEqual(['ignored columns: policy']);
  });

  it('may be what lerobot-eval writes, with NaN as Python has it', () => {
    const text = `{"per_task": [{"task_group": "libero_10", "task_id": 3, "metrics": {"sum_rewards": [0.0, 1.0],
      "max_rewards": [NaN, 1.0], "successes": [false, true], "video_paths": []}}], "overall": {"pc_success": NaN}}`;
    const { records, notes } = readFailures(text, 'lerobot-eval', 'eval_info.json');
    expect(records).toEqual([{ id: 'libero_10/3/0' }]);
    expect(notes).toEqual(['1 of 2 attempts succeeded']);
    const old = '{"per_episode": [{"episode_ix": 4, "sum_reward": 0, "success": false, "seed": 1004}]}';
    expect(readFailures(old, 'lerobot-eval', 'eval_info.json').records).toEqual([{ id: '4' }]);
  });

  it.each([
    ['json', '{"rows": []}', /expected a list/],
    ['json', '[{"task": "pour"}]', /record 1: id/],
    ['json', '[{"id": "a"}, {"id": "a"}]', /duplicate id a/],
    ['json', '[{"id": "a", "speed": 1}]', /record 1/],
    ['json', '[]', /contains no failures/],
    ['csv', 'a,b\n1,2\n', /none of the columns/],
    ['csv', 'id,time_s\nr,soon\n', /line 2: time_s/],
    ['lerobot-eval', '{"overall": {}}', /neither per_task/],
  ] as const)('as %s, %s is refused with its place', (format, text, told) => {
    expect(() => readFailures(text, format, 'f')).toThrow(told);
  });
});
