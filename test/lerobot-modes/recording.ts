import { seededRandom } from '#core';
import { recordTake, sampleTake, type Take } from '../../src/apps/samples/teleop/take.ts';
import type { Shot } from './shot.ts';

const cameraKeys = ['observation.images.front', 'observation.images.top'] as const;
const jointNames = [
  'shoulder_pan.pos',
  'shoulder_lift.pos',
  'elbow_flex.pos',
  'wrist_flex.pos',
  'wrist_roll.pos',
  'gripper.pos',
] as const;
export const dims = jointNames.length;

/** One episode as the recorder kept it, sound or not: what is written down rightly afterwards is the truth. */
export interface RecordedEpisode {
  rows: number;
  /** Row-major, `width` values a row. */
  state: Float32Array;
  action: Float32Array;
  /** Shots of each camera, one a row. */
  shots: Shot[][];
  task: string;
}

export interface Recording {
  readonly seed: number;
  fps: number;
  names: readonly string[];
  cameras: string[];
  episodes: RecordedEpisode[];
  /** First episode of each file of a v3 set. */
  files: readonly number[];
  /** Simulations behind the shots, by take number. */
  readonly takes: readonly Take[];
}

const episodes = 9;
/** Indices of the joints that a six-joint arm has among the seven of the simulated arm. */
const joints = [0, 1, 2, 4, 5, 6];

const takesBySeed = new Map<number, readonly Take[]>();

/** Simulates the takes of a seed once per process: every set shows them. */
function takesOf(seed: number): readonly Take[] {
  const known =
    takesBySeed.get(seed) ?? Array.from({ length: episodes }, (_, take) => recordTake(seed, take));
  takesBySeed.set(seed, known);
  return known;
}

/** Nine demonstrations of three tasks, thrice each: 6 joints, two cameras, 30 rows a second. */
export function recordSet(seed: number, fps = 30): Recording {
  const takes = takesOf(seed);
  return {
    seed,
    fps,
    names: jointNames,
    cameras: [...cameraKeys],
    takes,
    files: [0, 5],
    episodes: takes.map((take, index) => recordEpisode(take, index, seed, fps)),
  };
}

/** Take `index` as it is recorded; another `salt` gives the noise of another replay. */
export function recordEpisode(
  take: Take,
  index: number,
  seed: number,
  fps: number,
  salt = 0,
): RecordedEpisode {
  const rows = rowsOf(seed, index, fps);
  const times = Float64Array.from({ length: rows }, (_, row) => row / fps);
  const { state, action } = sampleTake(take, times, seededRandom(seed * 31 + index + salt * 7001));
  const grain = salt === 0 ? {} : { grain: salt };
  return {
    rows,
    state: sixOf(state),
    action: sixOf(action),
    shots: cameraKeys.map((_, camera) =>
      Array.from({ length: rows }, (_, row): Shot => ({ camera, take: index, row, ...grain })),
    ),
    task: take.plan.text,
  };
}

/** The operator ends the recording when the first half is done: demonstrations of about three seconds. */
function rowsOf(seed: number, index: number, fps: number): number {
  return Math.round(seededRandom(seed * 977 + index).between(2.7, 3.4) * fps);
}

function sixOf(values: Float32Array): Float32Array {
  const rows = values.length / 7;
  const out = new Float32Array(rows * dims);
  for (let row = 0; row < rows; row++) {
    for (let dim = 0; dim < dims; dim++) out[row * dims + dim] = values[row * 7 + joints[dim]];
  }
  return out;
}
