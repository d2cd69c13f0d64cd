import type { Clock, Stream } from '#core/episode';
import type { FileArrays } from '../shared/step-arrays/file-arrays.ts';
import type { StepReading } from '../shared/step-arrays/numeric-stream.ts';
import {
  clockOfSteps,
  clockPart,
  type KnownRate,
  type StepClock,
} from '../shared/step-arrays/numeric-stream.ts';

/** What the control loop of DROID aims at. */
export const controlRate: KnownRate = { hz: 15, source: 'control_hz = 15 is a constant of DROID' };

const top = 'observation/timestamp/';
/** Year 5138: no stamp of milliseconds gets there. */
const latest_ms = 1e14;
const robotStamp = 'robot_state/robot_timestamp';

/** When the steps of an episode were, by every stamp that was taken of them. */
export interface Stamps {
  /** The first stamp of the computer that records, milliseconds since the UNIX epoch; null where there is none. */
  readonly zero_ms: number | null;
  /** Since then, by the name below observation/timestamp; streams share them. */
  readonly time_s: ReadonlyMap<string, Float64Array>;
  /** What stands in where there are none. */
  computed(): StepClock;
}

export async function readStamps(
  { arrays }: FileArrays,
  reading: StepReading,
  steps: number,
): Promise<Stamps> {
  const stamps = new Map<string, Float32Array | Float64Array>();
  for (const [id, dataset] of arrays) {
    if (!id.startsWith(top) || dataset.rowElements !== 1 || id.endsWith('skip_action')) continue;
    const { series } = await reading.numeric({ id, role: 'other', dataset });
    if (series !== undefined) stamps.set(id.slice(top.length), series.values);
  }
  const zero_ms = zeroOf(stamps);
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
  const since = (values: Float32Array | Float64Array) =>
    Float64Array.from(values, (stamp_ms) => (stamp_ms - (zero_ms ?? 0)) / 1000);
  return {
    zero_ms,
    time_s: new Map([...stamps].map(([name, values]) => [name, since(values)])),
    computed: () => {
      computed ??= clockOfSteps(steps, controlRate);
      return computed;
    },
  };
}

/** The robot's own computer may be set to any time, so that its stamps begin nothing. */
function zeroOf(stamps: ReadonlyMap<string, ArrayLike<number>>): number | null {
  const firsts = [...stamps].flatMap(([name, { 0: first }]) =>
    !name.startsWith(robotStamp) && first !== undefined && first > 0 && first < latest_ms ? [first] : [],
  );
  return firsts.length === 0 ? null : Math.min(...firsts);
}

/** What a stream is stamped by: the group of its stamps, and which is preferred. */
interface StampGroup {
  readonly prefix: string;
  readonly chosen: readonly string[];
  readonly reason: string;
}

export const stateStamps: StampGroup = {
  prefix: 'robot_state/',
  chosen: ['robot_state/read_end', 'robot_state/read_start', robotStamp],
  reason:
    'when the state had arrived, by the computer that stamps the cameras too; robot_timestamp is the clock of the robot’s own computer',
};

export const actionStamps: StampGroup = {
  prefix: 'control/',
  chosen: ['control/control_start', 'control/policy_start', 'control/step_start', 'control/step_end'],
  reason: 'when the command was on its way to the robot, or the nearest stamp there is',
};

export const cameraStamps = (serial: string): StampGroup => ({
  prefix: `cameras/${serial}_`,
  chosen: ['frame_received', 'estimated_capture', 'read_end', 'read_start'].map(
    (name) => `cameras/${serial}_${name}`,
  ),
  reason: 'stamped with the picture by the camera’s driver; estimated_capture is that less a constant',
});

/** The clocks of a stream of so many samples; computed ones where the file holds none that fit. */
export function clocksOf(
  { prefix, chosen, reason }: StampGroup,
  { zero_ms, time_s, computed }: Stamps,
  samples: number,
): Pick<Stream, 'clocks' | 'clock' | 'declared_rate_hz'> {
  const own = [...time_s].filter(([name, { length }]) => name.startsWith(prefix) && length >= samples);
  const names = own.map(([name]) => name);
  const wanted = chosen.find((name) => names.includes(name));
  if (zero_ms === null || wanted === undefined) return clockPart(computed(), samples);
  return {
    clocks: own.map(([name, all]) => ({
      name,
      provenance: provenanceOf(name),
      time_s: all.length === samples ? all : all.subarray(0, samples),
    })),
    clock: { index: names.indexOf(wanted), reason: `${wanted}: ${reason}` },
    declared_rate_hz: controlRate.hz,
  };
}

function provenanceOf(name: string): Clock['provenance'] {
  if (name === robotStamp) return 'hardware';
  return /_(frame_received|estimated_capture)$/.test(name) ? 'header' : 'log';
}
