import type { Clock, Stream } from '#episode';
import type { FileArrays } from '../../step-arrays/file-arrays.ts';
import type { StepReading } from '../../step-arrays/numeric-stream.ts';
import { clockOfSteps, clockPart, type KnownRate } from '../../step-arrays/step-clock.ts';

/** What the control loop of DROID aims at. */
export const controlRate: KnownRate = { hz: 15, source: 'control_hz = 15 is a constant of DROID' };

const top = 'observation/timestamp/';
const robotStamp = 'robot_state/robot_timestamp';

/** Milliseconds since the UNIX epoch, by the name below observation/timestamp. */
export type Stamps = ReadonlyMap<string, Float32Array | Float64Array>;

export async function readStamps({ arrays }: FileArrays, reading: StepReading): Promise<Stamps> {
  const stamps = new Map<string, Float32Array | Float64Array>();
  for (const [id, dataset] of arrays) {
    if (!id.startsWith(top) || dataset.rowElements !== 1 || id.endsWith('skip_action')) continue;
    const { series } = await reading.numeric({ id, role: 'other', dataset });
    if (series !== undefined) stamps.set(id.slice(top.length), series.values);
  }
  const [seconds, nanos] = ['_seconds', '_nanos'].map((part) => stamps.get(`${robotStamp}${part}`));
  stamps.delete(`${robotStamp}_seconds`);
  stamps.delete(`${robotStamp}_nanos`);
  if (seconds !== undefined && nanos?.length === seconds.length) {
    stamps.set(
      robotStamp,
      Float64Array.from(seconds, (second, row) => second * 1e3 + nanos[row] / 1e6),
    );
  }
  return stamps;
}

/** The first stamp of the computer that records; null where there is none. */
export function zeroOf(stamps: Stamps): number | null {
  const firsts = [...stamps].flatMap(([name, values]) =>
    name !== robotStamp && values.length > 0 && values[0] > 0 ? [values[0]] : [],
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
  stamps: Stamps,
  samples: number,
): Pick<Stream, 'clocks' | 'clock' | 'declared_rate_hz'> {
  const zero_ms = zeroOf(stamps);
  const own = [...stamps].filter(([name, { length }]) => name.startsWith(prefix) && length >= samples);
  const names = own.map(([name]) => name);
  const wanted = chosen.find((name) => names.includes(name));
  if (zero_ms === null || wanted === undefined) {
    return clockPart(clockOfSteps(samples, controlRate), samples);
  }
  const clocks = own.map(([name, values]): Clock => {
    const time_s = new Float64Array(samples);
    for (let row = 0; row < samples; row++) time_s[row] = (values[row] - zero_ms) / 1000;
    return { name, provenance: provenanceOf(name), time_s };
  });
  return {
    clocks,
    clock: { index: names.indexOf(wanted), reason: `${wanted}: ${reason}` },
    declared_rate_hz: controlRate.hz,
  };
}

function provenanceOf(name: string): Clock['provenance'] {
  if (name === robotStamp) return 'hardware';
  return /_(frame_received|estimated_capture)$/.test(name) ? 'header' : 'log';
}
