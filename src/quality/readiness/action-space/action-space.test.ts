import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ActionSpaceDiagnosis } from '#core/api';
import type { Episode } from '#core/episode';
import { readEverything } from '#test/support/read-dataset';
import { numericStream, swingingArm, testEpisode } from '../test-subject.ts';
import { ActionSpaceStatistics } from './diagnose.ts';
import {
  armEpisode,
  asTargetSteps,
  asVelocity,
  fromChunkStart,
  fromMeasuredState,
} from './test-transforms.ts';

type Diagnosed = Extract<ActionSpaceDiagnosis, { status: 'diagnosed' }>;

function diagnose(episodes: readonly Episode[]): Diagnosed {
  const statistics = new ActionSpaceStatistics();
  for (const episode of episodes) statistics.add(episode);
  const diagnosis = statistics.conclude();
  if (diagnosis.status !== 'diagnosed') throw new Error(diagnosis.reason);
  return diagnosis;
}

const arms = (options = {}, count = 6) =>
  Array.from({ length: count }, (_, seed) => armEpisode(seed + 1, options));

describe('the action-space diagnosis of an arm', () => {
  it('reads targets as absolute joint positions, with the lag of the arm', () => {
    const { representation, space, confidence, groups, conversions } = diagnose(arms());
    expect({ representation, space }).toEqual({ representation: 'absolute', space: 'joint' });
    expect(confidence).toBeGreaterThan(0.9);
    const [joints, gripper] = groups;
    expect(joints).toMatchObject({ space: 'joint', units: 'as_state', compared: 5, chunk_rows: null });
    expect(joints.lag_ms).toBeGreaterThan(60);
    expect(joints.lag_ms).toBeLessThan(200);
    expect(gripper).toMatchObject({ space: 'gripper', representation: 'absolute' });
    expect(conversions.every(({ lossless }) => lossless)).toBe(true);
  });

  it.each([
    ['changes of the target', (e: Episode) => asTargetSteps(e), 'step_delta', null],
    ['targets seen from the measured state', (e: Episode) => fromMeasuredState(e), 'step_delta', null],
    ['targets seen from the start of chunks of 2', (e: Episode) => fromChunkStart(e, 2), 'chunk_relative', 2],
    ['targets seen from the start of chunks of 7', (e: Episode) => fromChunkStart(e, 7), 'chunk_relative', 7],
    [
      'targets seen from the start of chunks of 16',
      (e: Episode) => fromChunkStart(e, 16),
      'chunk_relative',
      16,
    ],
    [
      'targets seen from the start of chunks of 50',
      (e: Episode) => fromChunkStart(e, 50),
      'chunk_relative',
      50,
    ],
  ])('follows when the same arm’s actions are stored as %s', (_, change, representation, chunk_rows) => {
    const diagnosis = diagnose(arms().map(change));
    expect(diagnosis).toMatchObject({ representation, space: 'joint' });
    expect(diagnosis.groups[0]).toMatchObject({ chunk_rows });
  });

  it('tells what is counted from the episode’s first state, and from where it is counted', () => {
    const diagnosis = diagnose(arms().map((episode) => fromChunkStart(episode, Number.POSITIVE_INFINITY)));
    expect(diagnosis.representation).toBe('chunk_relative');
    expect(diagnosis.groups[0]).toMatchObject({ relative_to: 'start_of_episode', chunk_rows: null });
  });

  it('sees by its noise that an action was counted from the measured state', () => {
    const noisy = arms({ noise: 0.02 }).map(fromMeasuredState);
    expect(diagnose(noisy).groups[0]).toMatchObject({
      representation: 'step_delta',
      relative_to: 'measured_state',
    });
  });

  it.each([20, 30, 50])('tells velocities from steps by their unit at %i Hz', (rate_hz) => {
    const episodes = arms({ rate_hz }).map((episode) => asVelocity(episode, rate_hz));
    expect(diagnose(episodes).groups[0]).toMatchObject({ representation: 'step_delta', units: 'per_second' });
  });

  it('does not take a swing for its own velocity, a quarter of a period later', () => {
    const swings = [1, 2, 3].map((seed) => testEpisode(seed, swingingArm(seed, 600)));
    expect(diagnose(swings).representation).toBe('absolute');
    expect(diagnose(swings.map(asTargetSteps)).representation).toBe('step_delta');
  });

  it('says that nothing names the dimensions, and reads the representation all the same', () => {
    const { space, representation } = diagnose(arms({ names: null }));
    expect({ space, representation }).toEqual({ space: 'unknown', representation: 'absolute' });
  });

  it('finds a state of another stream that an unnamed action moves, and takes its space', () => {
    const episodes = arms().map((episode) => {
      const [action, state] = asTargetSteps(episode).streams;
      const tcp = { ...state, id: 'eef_pos', names: null };
      const joints = numericStream('joints', 'state', action.sample_count, 3, (row, d) =>
        Math.cos(row / 9 + d),
      );
      return { ...episode, streams: [{ ...action, id: 'actions', names: null }, joints, tcp] };
    });
    const diagnosis = diagnose(episodes);
    expect(diagnosis).toMatchObject({ space: 'end_effector', representation: 'step_delta' });
  });

  it('calls a dataset mixed in which episodes differ', () => {
    const episodes = arms({}, 8);
    const mixed = diagnose(episodes.map((episode, i) => (i % 2 === 0 ? episode : asTargetSteps(episode))));
    expect(mixed.representation).not.toBe('step_delta');
    expect(['mixed', 'undetermined']).toContain(mixed.representation);
    const other = diagnose([...episodes, testEpisode(99, swingingArm(3))]);
    expect(other.episodes).toMatchObject({ looked_at: 9, other_layout: 1 });
    expect(other.findings.join()).toMatch(/2 different layouts/);
  });

  it('finds actions that were computed from the state', () => {
    const copies = arms().map((episode) => {
      const [action, state] = episode.streams;
      const { values, dims } = state.series!;
      const later = values.slice();
      later.copyWithin(0, dims);
      return { ...episode, streams: [{ ...action, series: { values: later, dims } }, state] };
    });
    expect(diagnose(copies).findings.join()).toMatch(/not recorded as commands/);
  });

  it('is not moved by NaN, by an angle that goes round, or by the order of state streams', () => {
    const turned = arms().map((episode) => ({
      ...episode,
      streams: episode.streams.map((stream) => {
        const values = stream.series!.values.map((value, i) => {
          const angle = 4 * value;
          if (i === 700) return Number.NaN;
          return i % 6 === 0 ? angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI)) : value;
        });
        return { ...stream, series: { values, dims: 6 } };
      }),
    }));
    const { representation, confidence } = diagnose(
      turned.map((e) => ({ ...e, streams: [...e.streams].reverse() })),
    );
    expect(representation).toBe('absolute');
    expect(confidence).toBeGreaterThan(0.8);
  });

  it.each([
    ['absolute targets', (target: number) => target, 'absolute', null],
    [
      'targets from the chunk’s first state',
      (target: number, now: number) => target - now,
      'chunk_relative',
      8,
    ],
  ])('reads chunks that every row holds whole, of %s', (_, store, representation, chunk_rows) => {
    const episodes = arms().map((episode) => {
      const [action, state] = episode.streams;
      const at = (stream: typeof action, row: number, d: number) => stream.series!.values[row * 6 + d];
      const last = action.sample_count - 1;
      const chunks = numericStream('action', 'action', action.sample_count, 48, (row, i) =>
        store(at(action, Math.min(last, row + Math.floor(i / 6)), i % 6), at(state, row, i % 6)),
      );
      return {
        ...episode,
        streams: [
          { ...chunks, shape: [8, 6], names: null },
          { ...state, names: null },
        ],
      };
    });
    const diagnosis = diagnose(episodes);
    expect(diagnosis.representation).toBe(representation);
    expect(diagnosis.groups[0].chunk_rows).toBe(chunk_rows);
  });

  it('reads an action of more dimensions than it looks at', () => {
    const wide = (role: 'action' | 'state', lag: number) =>
      numericStream(role, role, 300, 100, (row, d) => Math.sin((row - lag) / (9 + d / 10)));
    const { representation, groups } = diagnose([testEpisode(0, [wide('action', 0), wide('state', 2)])]);
    expect(representation).toBe('absolute');
    expect(groups[0].dimensions).toHaveLength(64);
  });

  it('gives the same answer again', () => {
    expect(JSON.stringify(diagnose(arms()))).toBe(JSON.stringify(diagnose(arms())));
  });
});

describe('what cannot be diagnosed', () => {
  const reasonFor = (streams: Episode['streams']) => {
    const statistics = new ActionSpaceStatistics();
    statistics.add(testEpisode(0, streams));
    return statistics.conclude();
  };
  const signal = (role: 'action' | 'state', rows = 100) =>
    numericStream(role, role, rows, 3, (i, d) => i * d);

  it.each([
    ['no action', [signal('state')], /no episode has a numeric action/],
    ['no state', [signal('action')], /has a numeric state to compare/],
    ['hardly any rows', [signal('action', 5), signal('state', 5)], /too short/],
  ])('is not assessable with %s', (_, streams, reason) => {
    expect(reasonFor(streams)).toEqual({ status: 'not_assessable', reason: expect.stringMatching(reason) });
  });

  it('is not assessable without episodes', () => {
    expect(new ActionSpaceStatistics().conclude()).toMatchObject({ status: 'not_assessable' });
  });

  it('stays undetermined where nothing moves, and where nothing belongs together', () => {
    const still = [
      numericStream('action', 'action', 200, 2, () => 1),
      numericStream('s', 'state', 200, 2, () => 1),
    ];
    expect(reasonFor(still)).toMatchObject({ representation: 'undetermined', confidence: 0 });
    const strange = [
      numericStream('action', 'action', 400, 2, (i, d) => Math.sin(i * 1.7 + d) * Math.cos(i * i)),
      numericStream('s', 'state', 400, 2, (i, d) => Math.sin(i / 31 + d)),
    ];
    expect(reasonFor(strange)).toMatchObject({ representation: 'undetermined' });
  });
});

const shared = resolve(import.meta.dirname, '../../../../../shared/data');
const missing = existsSync(shared) ? '' : ' (skipped: no ../shared/data here)';

describe.skipIf(missing !== '').each([
  ['a Unitree G1 with hands, teleoperated', 'lerobot-v21-g1-bottle'],
  ['a GR1 in simulation', 'lerobot-v20-gr00t-pick-place'],
])(`the diagnosis of %s${missing}`, (_, path) => {
  let episodes: readonly Episode[];
  beforeAll(async () => {
    const { sets } = await readEverything(resolve(shared, path));
    episodes = sets.flatMap((set) => set.episodes).slice(0, 20);
  });

  it('reads its actions as absolute joint targets', () => {
    const diagnosis = diagnose(episodes);
    expect(diagnosis).toMatchObject({ representation: 'absolute', space: 'joint', findings: [] });
    expect(diagnosis.groups[0].lag_ms).toBeGreaterThan(100);
    expect(diagnosis.groups[0].lag_ms).toBeLessThan(300);
    expect(diagnosis.confidence).toBeGreaterThan(0.9);
  });

  it.each([
    ['steps', asTargetSteps, 'step_delta', null],
    ['from the measured state', fromMeasuredState, 'step_delta', null],
    ['in chunks of 2', (e: Episode) => fromChunkStart(e, 2), 'chunk_relative', 2],
    ['in chunks of 16', (e: Episode) => fromChunkStart(e, 16), 'chunk_relative', 16],
    ['in chunks of 50', (e: Episode) => fromChunkStart(e, 50), 'chunk_relative', 50],
    ['from the start', (e: Episode) => fromChunkStart(e, Number.POSITIVE_INFINITY), 'chunk_relative', null],
  ])('follows when they are stored as %s', (_name, change, representation, chunk_rows) => {
    const diagnosis = diagnose(episodes.map(change));
    expect(diagnosis).toMatchObject({ representation, space: 'joint' });
    expect(diagnosis.groups[0].chunk_rows).toBe(chunk_rows);
  });
});
