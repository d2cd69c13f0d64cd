import { seededRandom } from '#core';
import type { Episode, Stream } from '#core/episode';
import { numericStream, testEpisode } from '../test-subject.ts';

type Rows = readonly (readonly number[])[];

/** Returns an episode whose action is computed from its action and state rows. For tests. */
function withAction(episode: Episode, change: (action: Rows, state: Rows) => number[][]): Episode {
  const find = (role: string): Stream =>
    episode.streams.find((stream) => stream.role === role && stream.series !== undefined)!;
  const [action, state] = [find('action'), find('state')];
  const values = Float64Array.from(change(rowsOf(action), rowsOf(state)).flat());
  const changed = { ...action, series: { values, dims: action.series!.dims } };
  return { ...episode, streams: episode.streams.map((stream) => (stream === action ? changed : stream)) };
}

function rowsOf({ series }: Stream): Rows {
  const { values, dims } = series!;
  return Array.from({ length: values.length / dims }, (_, row) =>
    Array.from(values.subarray(row * dims, (row + 1) * dims)),
  );
}

/** Converts absolute targets to changes from row to row. For tests. */
export const asTargetSteps = (episode: Episode): Episode =>
  withAction(episode, (action) =>
    action.map((row, t) => row.map((value, d) => (t + 1 < action.length ? action[t + 1][d] - value : 0))),
  );

/** Converts absolute targets to be relative to the measured state of the same row. For tests. */
export const fromMeasuredState = (episode: Episode): Episode =>
  withAction(episode, (action, state) => action.map((row, t) => row.map((value, d) => value - state[t][d])));

/**
 * Converts absolute targets to be relative to the state at the start of their chunk; of the episode if `rows`
 * is Infinity. For tests.
 */
export const fromChunkStart = (episode: Episode, rows: number): Episode =>
  withAction(episode, (action, state) =>
    action.map((row, t) => {
      const from = rows === Number.POSITIVE_INFINITY ? 0 : rows * Math.floor(t / rows);
      return row.map((value, d) => value - state[from][d]);
    }),
  );

/** Uses the state's velocity per second as the action. For tests. */
export const asVelocity = (episode: Episode, rate_hz: number): Episode =>
  withAction(episode, (_, state) =>
    state.map((row, t) =>
      row.map((value, d) => (t + 1 < state.length ? (state[t + 1][d] - value) * rate_hz : 0)),
    ),
  );

/** Options of `armEpisode`; defaults are 30 Hz, 8 s, noise 0.002 and joint names. */
export interface ArmOptions {
  readonly names?: readonly string[] | null;
  readonly rate_hz?: number;
  readonly seconds?: number;
  /** Standard deviation of the encoder noise. */
  readonly noise?: number;
}

const jointNames = ['shoulder_pan', 'shoulder_lift', 'elbow_flex', 'wrist_flex', 'wrist_roll', 'gripper'];
const gripper = jointNames.length - 1;

/**
 * Creates an episode of an arm that follows smooth targets between random poses with a delay of 60 ms and a
 * time constant of 50 ms; its last dimension is a gripper that opens and closes. The action contains the
 * targets, absolute. For tests.
 */
export function armEpisode(seed: number, options: ArmOptions = {}): Episode {
  const { rate_hz = 30, seconds = 8, noise = 0.002, names = jointNames } = options;
  const random = seededRandom(seed);
  const rows = Math.round(rate_hz * seconds);
  const pose = () =>
    jointNames.map((_, d) => (d === gripper ? Math.round(random.between(0, 1)) : random.between(-1, 1)));
  const poses = Array.from({ length: Math.ceil(seconds) + 2 }, pose);
  const target = (row: number, d: number): number => {
    const at = Math.max(0, row / rate_hz);
    const [k, u] = [Math.floor(at), at - Math.floor(at)];
    const blend = d === gripper ? Math.min(1, 5 * u) : u ** 3 * (10 - 15 * u + 6 * u ** 2);
    return poses[k][d] + (poses[k + 1][d] - poses[k][d]) * blend;
  };
  const gain = 1 / (1 + 0.05 * rate_hz);
  const measured = jointNames.map((_, d) => target(0, d));
  const follow = (row: number, d: number): number => {
    measured[d] += gain * (target(row - 0.06 * rate_hz, d) - measured[d]);
    return measured[d] + noise * random.normal();
  };
  const dims = jointNames.length;
  const streams = [
    numericStream('action', 'action', rows, dims, target, rate_hz),
    numericStream('observation.state', 'state', rows, dims, follow, rate_hz),
  ];
  return testEpisode(
    seed,
    streams.map((stream) => ({ ...stream, names })),
  );
}
