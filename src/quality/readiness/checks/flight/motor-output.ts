import { type Episode, type Stream, timesOf } from '#core/episode';
import type { FlagRow } from '../../check.ts';
import { errorsOf, type Report, reportOf, type Told } from './report.ts';
import { columnOf, flightRows, runsOf } from './rows.ts';

export const motorOutputFlag: FlagRow = {
  code: 'motor_output_lost',
  severity: 'warning',
  meaning: 'One motor’s output stopped or stood still in flight while the others worked on.',
  advice:
    'Leave the marked span out: the aircraft was not driven by what was commanded; check output and ESC.',
};

/** ArduPilot's errors that say so. */
const subsystems = { 25: 'thrust loss' } as const;

/** A motor works that changes at so many of its samples in flight. */
const leastWorking = 0.8;
/** One that failed on the way worked for some of it. */
const mostStill = 0.8;
const fewestMotors = 3;
/** A clipped or idling motor stands still for less. */
const leastStill_s = 2;

/** Motors of a multirotor that stop alone, by its outputs; of other aircraft a motor that stops may be meant. */
export function motorOutputs(episode: Episode): Report | null {
  const thrust = reportOf('motor_output_lost', 'ERR', errorsOf(episode, subsystems), episode);
  if (thrust !== null || !isMultirotor(episode)) return thrust;
  for (const id of ['actuator_motors.control', 'actuator_outputs.output', 'RCOU.output']) {
    const stream = episode.streams.find((one) => one.id === id);
    if (stream?.series === undefined) continue;
    return reportOf('motor_output_lost', id, stillMotors(episode, stream), episode);
  }
  return null;
}

/** By PX4's vehicle_status (1: rotary wing), and no VTOL, which stops its rotors in cruise; or by ArduCopter's name. */
function isMultirotor({ robot, streams }: Episode): boolean {
  if (/copter|quad|hexa|octo/i.test(robot ?? '')) return true;
  const status = streams.find(({ id }) => /^vehicle_status(\.|$)/.test(id));
  if (status === undefined || status.sample_count === 0) return false;
  const rotary = columnOf(status, /^vehicle_type$/) ?? columnOf(status, /^is_rotary_wing$/);
  const vtol = columnOf(status, /^is_vtol$/);
  return rotary?.(0) === 1 && (vtol === null || vtol(0) === 0);
}

function stillMotors(episode: Episode, stream: Stream): Told[] {
  const times = timesOf(stream);
  const inFlight = flightRows(episode, stream);
  const { values, dims } = stream.series!;
  if (times === null) return [];
  const still = Array.from({ length: dims }, (_, d) => stillRows(values, dims, d, inFlight));
  const flown = inFlight.reduce((sum, row) => sum + row, 0);
  const share = still.map((rows) => rows.reduce((sum, state) => sum + (state === 1 ? 1 : 0), 0) / flown);
  const working = [...share.keys()].filter((d) => share[d] <= 1 - leastWorking);
  if (working.length < fewestMotors) return [];
  // Outputs that never work drive nothing, or something else than a motor.
  const motors = [...share.keys()].filter((d) => share[d] <= mostStill);
  return motors.flatMap((d) =>
    runsOf(still[d])
      .filter(({ from, to }) => times[to] - times[from] >= leastStill_s)
      .filter(({ from, to }) => othersWork(still, working, d, from, to))
      .map(({ from, to }) => ({ what: `motor ${d + 1} still`, from_s: times[from], to_s: times[to] })),
  );
}

/** 1: as in the row before, or no number (stopped); 0: changed; 2: not in flight. */
function stillRows(
  values: Float32Array | Float64Array,
  dims: number,
  d: number,
  inFlight: Uint8Array,
): Uint8Array {
  return inFlight.map((flying, row) => {
    if (flying === 0) return 2;
    const value = values[row * dims + d];
    return row > 0 && (Number.isNaN(value) || value === values[(row - 1) * dims + d]) ? 1 : 0;
  });
}

/** At least two other motors change in four of five samples of the span. */
function othersWork(
  still: readonly Uint8Array[],
  working: readonly number[],
  own: number,
  from: number,
  to: number,
): boolean {
  const rows = to - from + 1;
  const active = working.filter((d) => {
    if (d === own) return false;
    let changed = 0;
    for (let row = from; row <= to; row++) if (still[d][row] === 0) changed++;
    return changed >= leastWorking * rows;
  });
  return active.length >= fewestMotors - 1;
}
