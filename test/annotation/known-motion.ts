import { type Random, seededRandom } from '#core';
import type { Kind, Stream, StreamRole } from '#core/episode';
import type { LaneEpisode } from '#labels/annotation';

/** Recording settings of a synthetic episode with known motion. */
export interface Recording {
  readonly rate_hz: number;
  /** Standard deviation of the noise, as a share of the widest joint's range. */
  readonly noise: number;
  /** Every number of the arm is multiplied by this: radians, degrees, ticks. */
  readonly scale: number;
  /** Added to every stamp. */
  readonly starts_s: number;
  /** Standard deviation of the stamps, as a share of the step. */
  readonly jitter: number;
}

const plainRecording: Recording = { rate_hz: 30, noise: 0, scale: 1, starts_s: 0, jitter: 0 };

export interface KnownEpisode extends LaneEpisode {
  /** Seconds at which one act ends and another begins. */
  readonly boundaries_s: readonly number[];
  readonly closes: number;
  readonly opens: number;
}

const joints = 6;
const gripperDimension = joints;

/** A part of the motion: its duration, and the joint positions `t` seconds after its start. */
interface Act {
  readonly lasts_s: number;
  at(t: number, joint: number): number;
  readonly gripper_to?: number;
}

const minimumJerk = (u: number) => u ** 3 * (10 - 15 * u + 6 * u * u);

/** From a pose to another in one smooth motion that starts and ends at rest. */
function reach(from: readonly number[], to: readonly number[], lasts_s: number): Act {
  return { lasts_s, at: (t, j) => from[j] + (to[j] - from[j]) * minimumJerk(Math.min(1, t / lasts_s)) };
}

const hold = (pose: readonly number[], lasts_s: number): Act => ({ lasts_s, at: (_, j) => pose[j] });

/** Half-way through a rest the gripper goes from one end to the other in 0.3 s. */
const grasp = (pose: readonly number[], lasts_s: number, gripper_to: number): Act => ({
  ...hold(pose, lasts_s),
  gripper_to,
});

/** Two joints go round at one speed, so that nothing slows down; it comes back to where it began. */
function circle(
  pose: readonly number[],
  [a, b]: readonly [number, number],
  rounds: number,
  lasts_s: number,
): Act {
  const angle = (t: number) => (2 * Math.PI * rounds * t) / lasts_s;
  const size = 0.25;
  return {
    lasts_s,
    at: (t, j) =>
      pose[j] + (j === a ? size * Math.sin(angle(t)) : j === b ? size * (1 - Math.cos(angle(t))) : 0),
  };
}

/** Reaching, resting, grasping and going round in an order of chance. */
function actsOf(random: Random): Act[] {
  const acts: Act[] = [];
  let pose = Array.from({ length: joints }, () => random.between(-1, 1));
  let gripper = 1;
  acts.push(hold(pose, random.between(0.8, 1.6)));
  for (let k = 0; k < 7; k++) {
    const next = pose.map(() => random.between(-1, 1));
    acts.push(reach(pose, next, random.between(0.9, 1.8)));
    pose = next;
    const then = random.integer(0, 3);
    if (then === 0) acts.push(hold(pose, random.between(0.7, 1.5)));
    if (then === 1) {
      gripper = 1 - gripper;
      acts.push(grasp(pose, random.between(1.4, 2), gripper));
    }
    if (then === 2) {
      acts.push(circle(pose, [0, 1], 1, random.between(2, 3)));
      acts.push(circle(pose, [2, 3], 1, random.between(2, 3)));
    }
  }
  return acts;
}

const gripperTime_s = 0.3;

/** An arm with a gripper whose acts are known; the same seed does the same however it is recorded. */
export function knownEpisode(seed: number, recording: Partial<Recording> = {}): KnownEpisode {
  const { rate_hz, noise, scale, starts_s, jitter } = { ...plainRecording, ...recording };
  const acts = actsOf(seededRandom(seed));
  const random = seededRandom(seed + 1_000_003);
  const lasts_s = acts.reduce((sum, act) => sum + act.lasts_s, 0);
  const rows = Math.floor(lasts_s * rate_hz);
  const time_s = new Float64Array(rows);
  const values = new Float32Array(rows * (joints + 1));
  let [act, since_s, gripper] = [0, 0, 1];
  for (let i = 0; i < rows; i++) {
    const t = i / rate_hz + jitter * random.normal() * (1 / rate_hz);
    while (act + 1 < acts.length && t >= since_s + acts[act].lasts_s) {
      since_s += acts[act].lasts_s;
      gripper = acts[act++].gripper_to ?? gripper;
    }
    time_s[i] = starts_s + t;
    for (let j = 0; j < joints; j++)
      values[i * (joints + 1) + j] = scale * (acts[act].at(t - since_s, j) + 2 * noise * random.normal());
    const way = (t - since_s - acts[act].lasts_s / 2) / gripperTime_s + 0.5;
    const to = acts[act].gripper_to ?? gripper;
    const opened = gripper + (to - gripper) * Math.max(0, Math.min(1, way));
    values[i * (joints + 1) + gripperDimension] = opened + noise * random.normal();
  }
  const names = [...Array.from({ length: joints }, (_, j) => `joint_${j}`), 'gripper'];
  const state = numbers('observation.state', 'state', { values, dims: joints + 1 }, time_s, names);
  return {
    ...episodeOf([state], 'teleop', lasts_s, [
      {
        stream: state.id,
        dimension: gripperDimension,
        name: 'gripper',
        unit: '0..1',
        range_observed: [0, 1],
        open_value: 1,
        evidence: 'declared',
        reason: 'made so',
      },
    ]),
    ...truthOf(acts, starts_s),
  };
}

function truthOf(acts: readonly Act[], starts_s: number) {
  const boundaries_s: number[] = [];
  let now_s = starts_s;
  let [closes, opens] = [0, 0];
  acts.forEach(({ gripper_to, lasts_s }, k) => {
    if (k > 0) boundaries_s.push(now_s);
    if (gripper_to !== undefined) boundaries_s.push(now_s + lasts_s / 2);
    if (gripper_to === 0) closes++;
    if (gripper_to === 1) opens++;
    now_s += lasts_s;
  });
  return { boundaries_s, closes, opens };
}

/** A stream of numbers with one clock. */
export function numbers(
  id: string,
  role: StreamRole,
  series: NonNullable<Stream['series']>,
  time_s: Float64Array | null,
  names: readonly string[] | null = null,
): Stream {
  return {
    id,
    role,
    modality: 'numeric',
    shape: [series.dims],
    names,
    unit: { unit: 'unknown', evidence: 'unknown', reason: 'not said' },
    declared_rate_hz: null,
    sample_count: Math.floor(series.values.length / series.dims),
    clocks: time_s === null ? [] : [{ name: 'timestamp', provenance: 'log', time_s }],
    clock: time_s === null ? null : { index: 0, reason: 'the only one' },
    series,
  };
}

/** Builds the lane input of an episode with these streams. */
export function episodeOf(
  streams: readonly Stream[],
  kind: Kind,
  duration_s: number,
  grippers: LaneEpisode['facts']['grippers'] = [],
): LaneEpisode {
  const streamFacts = streams.map(({ id, role, modality, shape, unit, sample_count, clock }) => ({
    id,
    role,
    modality,
    shape: [...shape],
    unit: { ...unit },
    sample_count,
    declared_rate_hz: null,
    measured_rate_hz: null,
    clock: clock === null ? null : { name: 'timestamp', provenance: 'log', reason: '', others: [] },
  }));
  return {
    facts: {
      episode: {
        id: 'known',
        index: 0,
        locator: { format: 'made', path: 'known' },
        start_ns: null,
        duration_s,
        robot: null,
        tasks: null,
        outcome: { value: 'unknown', evidence: 'unknown', reason: 'not said' },
      },
      kind: { kind, evidence: [] },
      streams: streamFacts,
      grippers,
    },
    streams,
  };
}
