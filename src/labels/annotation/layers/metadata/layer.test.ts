import { describe, expect, it } from 'vitest';
import type { Stream, UnitOfMeasure } from '#core/episode';
import { episodeOf, knownEpisode, numbers } from '#test/annotation/known-motion';
import type { LaneEpisode } from '../../lane.ts';
import { computeMetadata } from './layer.ts';

interface Fact {
  readonly status: 'told' | 'unknown' | 'inapplicable';
  readonly value: unknown;
  readonly reason: string | null;
}

const factsOf = (episode: LaneEpisode) =>
  computeMetadata(episode).artifact.facts as unknown as Readonly<Record<string, Fact>>;

const seconds = (rows: number, rate_hz: number) => Float64Array.from({ length: rows }, (_, i) => i / rate_hz);

/** Rests 2 s, moves one second each way over 0.6 and 0.3, rests 3 s. */
function thereAndBack(unit: UnitOfMeasure): Stream {
  const at = (t: number) => (t < 2 ? 0 : t < 3 ? t - 2 : t < 4 ? 4 - t : 0);
  const values = new Float64Array(700 * 2);
  for (let i = 0; i < 700; i++) {
    values[2 * i] = 0.6 * at(i / 100);
    values[2 * i + 1] = 0.3 * at(i / 100);
  }
  return { ...numbers('arm', 'state', { values, dims: 2 }, seconds(700, 100), ['lift', 'turn']), unit };
}

const radians: UnitOfMeasure = { unit: 'rad', evidence: 'known_format', reason: 'the format says so' };
const unsaid: UnitOfMeasure = { unit: 'unknown', evidence: 'unknown', reason: 'not said' };

describe('the facts of a motion', () => {
  it('are how far it goes, how often, and with what energy', () => {
    const { motion_state } = factsOf(episodeOf([thereAndBack(radians)], 'state-only', 7));
    const value = motion_state.value as Record<string, number>;
    // Each dimension crosses its span twice, at one span a second; both together at √2 for two of seven seconds.
    expect(value.path_spans).toBeCloseTo(2, 1);
    expect(value.mean_square_speed).toBeCloseTo((2 * 2) / 7, 1);
    expect(value).toMatchObject({ dims: 2, dims_moving: 2, nature: 'place', streams: ['arm'] });
    expect(value.widest).toMatchObject({ dimension: 0, name: 'lift', unit: 'rad' });
    expect((value.widest as unknown as { span: number }).span).toBeCloseTo(0.6, 1);
  });

  it('have no unit where the recording says none', () => {
    const known = factsOf(episodeOf([thereAndBack(radians)], 'state-only', 7)).motion_state.value;
    const { motion_state } = factsOf(episodeOf([thereAndBack(unsaid)], 'state-only', 7));
    expect(motion_state.value).toEqual({ ...(known as object), widest: null });
  });

  it('say how long it rests before and after, and how much of the time it moves', () => {
    const facts = factsOf(episodeOf([thereAndBack(unsaid)], 'state-only', 7));
    expect(facts.idle_start_s.value).toBeCloseTo(2, 0);
    expect(Math.abs(Number(facts.idle_start_s.value) - 2)).toBeLessThan(0.12);
    expect(Math.abs(Number(facts.idle_end_s.value) - 3)).toBeLessThan(0.12);
    expect(Math.abs(Number(facts.moving_fraction.value) - 2 / 7)).toBeLessThan(0.03);
  });
});

describe('the facts of a gripper', () => {
  it.each([101, 102, 103, 104, 105])('count what it did in episode %d', (seed) => {
    const episode = knownEpisode(seed, { noise: 0.002 });
    const { closes, opens } = episode;
    expect(factsOf(episode).gripper_cycles.value).toEqual([
      { closes, cycles: Math.min(closes, opens), dimension: 6, opens, stream: 'observation.state' },
    ]);
  });

  it('are changes without a direction where nobody knows which value is open', () => {
    const { closes, facts, opens, streams } = knownEpisode(101);
    const grippers = facts.grippers.map((gripper) => ({ ...gripper, open_value: null }));
    const { gripper_changes, gripper_cycles } = factsOf({ facts: { ...facts, grippers }, streams });
    expect(gripper_changes.value).toMatchObject([{ changes: closes + opens }]);
    expect(gripper_cycles).toEqual({
      status: 'unknown',
      value: null,
      reason: 'unknown which gripper value means open',
    });
  });
});

describe('every fact', () => {
  const episode = knownEpisode(3);
  const facts = factsOf(episode);

  it('is told, or null with the reason', () => {
    for (const { reason, status, value } of Object.values(facts)) {
      expect(value === null).toBe(status !== 'told');
      expect(reason === null).toBe(status === 'told');
    }
  });

  it('counts alike in the share that could be told', () => {
    const { quality } = computeMetadata(episode);
    const applicable = Object.values(facts).filter(({ status }) => status !== 'inapplicable');
    const told = applicable.filter(({ status }) => status === 'told');
    expect(quality).toBeCloseTo(told.length / applicable.length, 3);
    // Robot, tasks and outcome are not said, and no rate was measured.
    expect(applicable.length - told.length).toBe(4);
  });

  it('rises when more is said', () => {
    const { episode: said, ...rest } = episode.facts;
    const outcome = { value: 'success', evidence: 'declared', reason: 'said so' } as const;
    const more = { ...said, robot: 'so101', tasks: ['put the cube into the bowl'], outcome };
    const { artifact, quality } = computeMetadata({ ...episode, facts: { ...rest, episode: more } });
    expect(quality).toBeGreaterThan(computeMetadata(episode).quality!);
    expect(artifact.facts).toMatchObject({
      outcome: { value: { value: 'success', evidence: 'declared' } },
      robot: { value: 'so101' },
      tasks: { value: ['put the cube into the bowl'] },
    });
  });
});
