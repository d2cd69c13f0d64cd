import { armedSpans, type Episode, type Event, type Stream, timesOf } from '#core/episode';
import type { Aspect, FlagRow } from '../../check.ts';
import type { Spans } from '../../features/motion.ts';
import { roundFinite } from '../../features/numeric.ts';
import { findActiveRuns, findColumn, maskFlightRows } from './flight-rows.ts';

/** Incidents of one family in flight, as reported by the autopilot or seen in its outputs. */
export type FlightReport = {
  readonly flag: string;
  /** Topic with the report. */
  readonly stream: string;
  readonly count: number;
  /** Description, in the autopilot's words. */
  readonly what: string;
  readonly spans_s: Spans;
};

/** An incident with its start and end. */
export interface Incident {
  readonly what: string;
  readonly from_s: number;
  readonly to_s: number;
}

const maxListedSpans = 16;
const maxNamed = 4;

/**
 * Creates a report of the incidents while the aircraft was armed, or of all if the recording has no arm events;
 * `null` if there are none. Names, spans and their numbers are limited.
 */
export function createFlightReport(
  flag: string,
  stream: string,
  incidents: readonly Incident[],
  { events, duration_s }: Pick<Episode, 'events' | 'duration_s'>,
): FlightReport | null {
  const flights = armedSpans(events, duration_s);
  const inFlight = (one: Incident): boolean =>
    flights === null || flights.some(([from_s, to_s]) => one.from_s <= to_s && one.to_s >= from_s);
  const inFlightIncidents = incidents.filter(inFlight).toSorted((a, b) => a.from_s - b.from_s);
  if (inFlightIncidents.length === 0) return null;
  const names = [...new Set(inFlightIncidents.map(({ what }) => what))];
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
  return {
    flag,
    stream,
    count: inFlightIncidents.length,
    what: names.slice(0, maxNamed).join(', ') + more,
    spans_s: inFlightIncidents
      .slice(0, maxListedSpans)
      .map(({ from_s, to_s }) => [roundFinite(from_s, 9), roundFinite(to_s, 9)]),
  };
}

/** Creates the aspect of a report, with score 0: reports are certain and not graded. */
export function reportAspect({ flag, stream, count, what, spans_s }: FlightReport): Aspect {
  const [[first_s]] = spans_s;
  return {
    flag,
    score: 0,
    observed: count,
    message: () =>
      `${stream} reports ${what} ${count === 1 ? 'once' : `${count} times`}, first at ${roundFinite(first_s, 4)} s`,
    marks: spans_s.map(([from_s, to_s]) => ({ stream, from_s, to_s })),
  };
}

/**
 * Reads ArduPilot's ERR messages of some subsystems (name by number) as incidents; each lasts until its code 0 or the
 * end of the recording.
 */
export function readErrors(
  { events, duration_s }: Pick<Episode, 'events' | 'duration_s'>,
  subsystems: Readonly<Record<number, string>>,
): Incident[] {
  const errors: Incident[] = [];
  const open = new Map<number, Event>();
  const close = (subsystem: number, to_s: number): void => {
    const begun = open.get(subsystem);
    if (begun === undefined) return;
    open.delete(subsystem);
    errors.push({ what: subsystems[subsystem], from_s: begun.time_s, to_s });
  };
  for (const event of events) {
    if (event.source !== 'ERR') continue;
    const [, code, subsystem] = /^error (\d+) of subsystem (\d+)$/.exec(event.label) ?? [];
    if (subsystem === undefined || !Object.hasOwn(subsystems, Number(subsystem))) continue;
    if (code === '0') close(Number(subsystem), event.time_s);
    else if (!open.has(Number(subsystem))) open.set(Number(subsystem), event);
  }
  for (const subsystem of [...open.keys()]) close(subsystem, duration_s);
  return errors;
}

/** Flag of a lost attitude or height, or a crash. */
export const attitudeFailureFlag: FlagRow = {
  code: 'attitude_failure',
  severity: 'blocking',
  meaning: 'The autopilot reported an attitude or height failure or a crash in flight.',
  advice: 'Exclude the flight from the marked time on: the aircraft no longer followed its commands.',
};

/** Bits of PX4's vehicle_status.failure_detector_status, and the fields that replaced them. */
const failureBits = [
  [1, /^fd_roll$/, 'roll failure'],
  [2, /^fd_pitch$/, 'pitch failure'],
  [4, /^fd_alt$/, 'height failure'],
] as const;

/** ArduPilot subsystems that report an attitude failure. */
const attitudeSubsystems = { 12: 'crash check' } as const;

/**
 * Reports attitude failures in flight that PX4's failure detector or else ArduPilot's crash check logged; `null` if
 * there are none.
 */
export function findAttitudeFailures(episode: Episode): FlightReport | null {
  for (const stream of episode.streams) {
    if (!/^(vehicle_status|failure_detector_status)(\.|$)/.test(stream.id)) continue;
    const report = createFlightReport('attitude_failure', stream.id, readFailureDetector(stream), episode);
    if (report !== null) return report;
  }
  return createFlightReport('attitude_failure', 'ERR', readErrors(episode, attitudeSubsystems), episode);
}

function readFailureDetector(stream: Stream): Incident[] {
  const times = timesOf(stream);
  const bits = findColumn(stream, /^failure_detector_status$/);
  if (times === null) return [];
  return failureBits.flatMap(([bit, field, what]) => {
    const readField = findColumn(stream, field);
    if (readField === null && bits === null) return [];
    const state = Uint8Array.from({ length: stream.sample_count }, (_, row) => {
      const failed = readField !== null ? readField(row) !== 0 : (bits!(row) & bit) !== 0;
      return failed ? 1 : 0;
    });
    return findActiveRuns(state).map(({ from, to }) => ({ what, from_s: times[from], to_s: times[to] }));
  });
}

/** Flag of an estimator jump or failure. */
export const estimatorResetFlag: FlagRow = {
  code: 'estimator_reset',
  severity: 'warning',
  meaning: 'The estimator reset its position, velocity or heading in flight, or reported a failure.',
  advice: 'Do not train on position and heading around the marked time; check GNSS, compass and vibration.',
};

/**
 * Reset counters of PX4's vehicle_local_position, the fields with the size of the jump, and the minimum size
 * (m, m/s or rad).
 */
const resetCounters = [
  [/^xy_reset_counter$/, [/^delta_xy\[0\]$/, /^delta_xy\[1\]$/], 1, 'position reset'],
  [/^z_reset_counter$/, [/^delta_z$/], 1, 'height reset'],
  [/^vxy_reset_counter$/, [/^delta_vxy\[0\]$/, /^delta_vxy\[1\]$/], 1, 'velocity reset'],
  [/^heading_reset_counter$/, [/^delta_heading$/], 0.35, 'heading reset'],
] as const;

/** ArduPilot subsystems that report Kalman filter errors. */
const estimatorSubsystems = { 16: 'EKF variance', 24: 'EKF changed over' } as const;

/** Time after arming during which resets are ignored, because estimators still settle. */
const settling_s = 10;

/** Reports jumps of the position estimate in flight later than ten seconds after arming; `null` if there are none. */
export function findEstimatorResets(episode: Episode): FlightReport | null {
  const armed = armedSpans(episode.events, episode.duration_s)?.map(([from_s]) => from_s) ?? [0];
  const settled = ({ from_s }: Incident): boolean =>
    !armed.some((since_s) => from_s >= since_s - 1 && from_s < since_s + settling_s);
  for (const stream of episode.streams) {
    if (!/^vehicle_local_position(\.|$)/.test(stream.id)) continue;
    const report = createFlightReport(
      'estimator_reset',
      stream.id,
      findJumps(stream).filter(settled),
      episode,
    );
    if (report !== null) return report;
  }
  return createFlightReport(
    'estimator_reset',
    'ERR',
    readErrors(episode, estimatorSubsystems).filter(settled),
    episode,
  );
}

function findJumps(stream: Stream): Incident[] {
  const times = timesOf(stream);
  if (times === null) return [];
  return resetCounters.flatMap(([counter, deltas, minSize, what]) => {
    const count = findColumn(stream, counter);
    const jump = deltas.map((field) => findColumn(stream, field));
    if (count === null) return [];
    const incidents: Incident[] = [];
    for (let row = 1; row < stream.sample_count; row++) {
      if (count(row) === count(row - 1)) continue;
      const size = Math.hypot(...jump.map((delta) => delta?.(row) ?? 0));
      if (size >= minSize) incidents.push({ what, from_s: times[row - 1], to_s: times[row] });
    }
    return incidents;
  });
}

/** Flag of a motor output that stopped. */
export const motorOutputFlag: FlagRow = {
  code: 'motor_output_lost',
  severity: 'warning',
  meaning: 'The output of one motor stopped or froze in flight while the others kept running.',
  advice: 'Exclude the marked span: the aircraft did not follow its commands; check the output and the ESC.',
};

/** ArduPilot subsystems that report a lost motor. */
const thrustSubsystems = { 25: 'thrust loss' } as const;

/** Minimum fraction of samples in flight at which a working motor's output changes. */
const minWorkingShare = 0.8;
/**
 * Maximum fraction of unchanged samples of an output that drives a motor; a motor that failed in flight
 * worked for part of it.
 */
const maxStillShare = 0.8;
const minMotors = 3;
/** Minimum length of a motor standstill; clipped or idling motors stand still for less. */
const minStill_s = 2;

/**
 * Reports motors that stop in flight while others work, by errors that the autopilot logged or, on multirotors, by
 * the motor outputs; `null` if none stops. On other aircraft a stopped motor may be intended.
 */
export function findLostMotors(episode: Episode): FlightReport | null {
  const thrust = createFlightReport(
    'motor_output_lost',
    'ERR',
    readErrors(episode, thrustSubsystems),
    episode,
  );
  if (thrust !== null || !isMultirotor(episode)) return thrust;
  for (const id of ['actuator_motors.control', 'actuator_outputs.output', 'RCOU.output']) {
    const stream = episode.streams.find((one) => one.id === id);
    if (stream?.series === undefined) continue;
    return createFlightReport('motor_output_lost', id, findStillMotors(episode, stream), episode);
  }
  return null;
}

/**
 * Returns `true` for multirotors: rotary wing in PX4's vehicle_status and no VTOL (which stops its rotors in
 * cruise), or an ArduCopter name.
 */
function isMultirotor({ robot, streams }: Episode): boolean {
  if (/copter|quad|hexa|octo/i.test(robot ?? '')) return true;
  const status = streams.find(({ id }) => /^vehicle_status(\.|$)/.test(id));
  if (status === undefined || status.sample_count === 0) return false;
  const rotary = findColumn(status, /^vehicle_type$/) ?? findColumn(status, /^is_rotary_wing$/);
  const vtol = findColumn(status, /^is_vtol$/);
  return rotary?.(0) === 1 && (vtol === null || vtol(0) === 0);
}

function findStillMotors(episode: Episode, stream: Stream): Incident[] {
  const times = timesOf(stream);
  const inFlight = maskFlightRows(episode, stream);
  const { values, dims } = stream.series!;
  if (times === null) return [];
  const still = Array.from({ length: dims }, (_, d) => classifyMotorRows(values, dims, d, inFlight));
  const flown = inFlight.reduce((sum, row) => sum + row, 0);
  const share = still.map((rows) => rows.reduce((sum, state) => sum + (state === 1 ? 1 : 0), 0) / flown);
  const working = [...share.keys()].filter((d) => share[d] <= 1 - minWorkingShare);
  if (working.length < minMotors) return [];
  // Outputs that never change drive nothing, or something other than a motor.
  const motors = [...share.keys()].filter((d) => share[d] <= maxStillShare);
  return motors.flatMap((d) =>
    findActiveRuns(still[d])
      .filter(({ from, to }) => times[to] - times[from] >= minStill_s)
      .filter(({ from, to }) => otherMotorsWork(still, working, d, from, to))
      .map(({ from, to }) => ({ what: `motor ${d + 1} stopped`, from_s: times[from], to_s: times[to] })),
  );
}

/**
 * Classifies the rows of a motor output. 1: equal to the previous row, or NaN (stopped); 0: changed; 2: not
 * in flight.
 */
function classifyMotorRows(
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

/** Returns `true` if at least two other motors change in 80 % of the samples of the span. */
function otherMotorsWork(
  still: readonly Uint8Array[],
  working: readonly number[],
  stoppedMotor: number,
  from: number,
  to: number,
): boolean {
  const rows = to - from + 1;
  const active = working.filter((d) => {
    if (d === stoppedMotor) return false;
    let changed = 0;
    for (let row = from; row <= to; row++) if (still[d][row] === 0) changed++;
    return changed >= minWorkingShare * rows;
  });
  return active.length >= minMotors - 1;
}
