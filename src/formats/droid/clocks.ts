import type { Clock, Stream } from '#core/episode';
import {
  createStepClock,
  type FileArrays,
  type StepArrayReader,
  type StepClock,
  type StepRate,
  streamClock,
} from '../shared/arrays/step-arrays.ts';

/** Nominal rate of DROID's control loop. */
export const controlRate: StepRate = { hz: 15, source: 'DROID records at a constant 15 Hz (control_hz)' };

const stampFolder = 'observation/timestamp/';
/** Maximum valid stamp in milliseconds since the UNIX epoch (year 5138). */
const maxStamp_ms = 1e14;
const robotStamp = 'robot_state/robot_timestamp';

/** All timestamps of an episode's steps, by name. */
export interface Stamps {
  /** Earliest first stamp of the recording computer, milliseconds since the UNIX epoch; `null` if there is none. */
  readonly origin_ms: number | null;
  /** Seconds since then, by name below observation/timestamp; streams share these arrays. */
  readonly time_s: ReadonlyMap<string, Float64Array>;
  /** Returns a clock computed from the nominal rate, for streams without stamps. */
  computedClock(): StepClock;
}

/**
 * Reads the arrays below observation/timestamp as seconds since the earliest one of the recording computer; seconds and
 * nanoseconds of the robot's clock are merged into one stamp.
 */
export async function readStamps(
  { arrays }: FileArrays,
  reading: StepArrayReader,
  steps: number,
): Promise<Stamps> {
  const stamps = new Map<string, Float32Array | Float64Array>();
  for (const [id, dataset] of arrays) {
    if (!id.startsWith(stampFolder) || dataset.rowElements !== 1 || id.endsWith('skip_action')) continue;
    const { series } = await reading.readStream({ id, role: 'other', dataset });
    if (series !== undefined) stamps.set(id.slice(stampFolder.length), series.values);
  }
  const zero_ms = earliestStamp(stamps);
  const [seconds, nanos] = ['_seconds', '_nanos'].map((part) => stamps.get(`${robotStamp}${part}`));
  stamps.delete(`${robotStamp}_seconds`);
  stamps.delete(`${robotStamp}_nanos`);
  if (seconds !== undefined && nanos?.length === seconds.length) {
    stamps.set(
      robotStamp,
      Float64Array.from(seconds, (second, row) => second * 1e3 + nanos[row] / 1e6),
    );
  }
  let computed: StepClock | null = null;
  const toSeconds = (values: Float32Array | Float64Array) =>
    Float64Array.from(values, (stamp_ms) => (stamp_ms - (zero_ms ?? 0)) / 1000);
  return {
    origin_ms: zero_ms,
    time_s: new Map([...stamps].map(([name, values]) => [name, toSeconds(values)])),
    computedClock: () => {
      computed ??= createStepClock(steps, controlRate);
      return computed;
    },
  };
}

/**
 * Returns the earliest valid first stamp in milliseconds, or `null`. Stamps of the robot's own computer are ignored,
 * since its clock may be set to any time.
 */
function earliestStamp(stamps: ReadonlyMap<string, ArrayLike<number>>): number | null {
  const firsts = [...stamps].flatMap(([name, { 0: first }]) =>
    !name.startsWith(robotStamp) && first !== undefined && first > 0 && first < maxStamp_ms ? [first] : [],
  );
  return firsts.length === 0 ? null : Math.min(...firsts);
}

/** The timestamps that apply to a stream, in order of preference. */
interface StampGroup {
  readonly prefix: string;
  readonly preferred_names: readonly string[];
  readonly reason: string;
}

/** Timestamps of measured states. */
export const stateStamps: StampGroup = {
  prefix: 'robot_state/',
  preferred_names: ['robot_state/read_end', 'robot_state/read_start', robotStamp],
  reason:
    'arrival of the state, on the same computer that timestamps the cameras; robot_timestamp is the clock of the robot’s own computer',
};

/** Timestamps of commands. */
export const actionStamps: StampGroup = {
  prefix: 'control/',
  preferred_names: [
    'control/control_start',
    'control/policy_start',
    'control/step_start',
    'control/step_end',
  ],
  reason: 'when the command was sent to the robot, or the closest timestamp available',
};

/** Returns the timestamps of the camera with this serial number. */
export const cameraStamps = (serial: string): StampGroup => ({
  prefix: `cameras/${serial}_`,
  preferred_names: ['frame_received', 'estimated_capture', 'read_end', 'read_start'].map(
    (name) => `cameras/${serial}_${name}`,
  ),
  reason: 'timestamped by the camera driver with each frame; estimated_capture is that time minus a constant',
});

/**
 * Returns clock fields for a stream of `samples` samples: all stamps of the group that are long enough, with the
 * preferred one selected, or a clock computed from the nominal rate if none is preferred.
 */
export function chooseClocks(
  { prefix, preferred_names: chosen, reason }: StampGroup,
  { origin_ms: zero_ms, time_s, computedClock: computed }: Stamps,
  samples: number,
): Pick<Stream, 'clocks' | 'clock' | 'declared_rate_hz'> {
  const matching = [...time_s].filter(([name, { length }]) => name.startsWith(prefix) && length >= samples);
  const names = matching.map(([name]) => name);
  const preferred = chosen.find((name) => names.includes(name));
  if (zero_ms === null || preferred === undefined) return streamClock(computed(), samples);
  return {
    clocks: matching.map(([name, all]) => ({
      name,
      provenance: stampProvenance(name),
      time_s: all.length === samples ? all : all.subarray(0, samples),
    })),
    clock: { index: names.indexOf(preferred), reason: `${preferred}: ${reason}` },
    declared_rate_hz: controlRate.hz,
  };
}

function stampProvenance(name: string): Clock['provenance'] {
  if (name === robotStamp) return 'hardware';
  return /_(frame_received|estimated_capture)$/.test(name) ? 'header' : 'log';
}
