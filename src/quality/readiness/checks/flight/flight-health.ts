import type { Episode, Stream } from '#core/episode';
import type { Aspect, FlagRow, GradedAspect, Subject } from '../../check.ts';
import type { Spans } from '../../features/motion.ts';
import { ramp, roundFinite } from '../../features/numeric.ts';
import { spansInSeconds } from '../../features/stream-rows.ts';
import {
  attitudeFailureFlag,
  createFlightReport,
  estimatorResetFlag,
  type FlightReport,
  findAttitudeFailures,
  findEstimatorResets,
  findLostMotors,
  type Incident,
  motorOutputFlag,
  readErrors,
  reportAspect,
} from './autopilot-reports.ts';
import { findActiveRuns, findColumn, maskFlightRows } from './flight-rows.ts';
import { measureSatellites, type SatelliteFacts, satelliteAspect } from './satellite.ts';

const failsafeFlag: FlagRow = {
  code: 'autopilot_failsafe',
  severity: 'warning',
  meaning: 'The autopilot entered a failsafe in flight and no longer followed commands.',
  advice: 'Exclude the marked span from training; check which failsafe it was (link, battery, geofence).',
};

/** ArduPilot subsystems whose errors are failsafes. */
const failsafeSubsystems = {
  5: 'radio failsafe',
  6: 'battery failsafe',
  8: 'ground station failsafe',
  9: 'fence failsafe',
  17: 'EKF failsafe',
  21: 'terrain failsafe',
  23: 'terrain failsafe',
  26: 'sensor failsafe',
  29: 'vibration failsafe',
  31: 'dead reckoning failsafe',
} as const;

/**
 * Finds failsafes reported by PX4's vehicle_status or ArduPilot's errors; `null` if there are none in flight.
 */
function findFailsafes(episode: Episode): FlightReport | null {
  const failsafeIncidents: Incident[] = [];
  let since_s: number | null = null;
  for (const { label, source, time_s } of episode.events) {
    if (source !== 'vehicle_status.failsafe') continue;
    if (label === 'failsafe') since_s ??= time_s;
    else if (since_s !== null) {
      failsafeIncidents.push({ what: 'failsafe', from_s: since_s, to_s: time_s });
      since_s = null;
    }
  }
  if (since_s !== null)
    failsafeIncidents.push({ what: 'failsafe', from_s: since_s, to_s: episode.duration_s });
  return (
    createFlightReport('autopilot_failsafe', 'vehicle_status.failsafe', failsafeIncidents, episode) ??
    createFlightReport('autopilot_failsafe', 'ERR', readErrors(episode, failsafeSubsystems), episode)
  );
}

const alarmFlag: FlagRow = {
  code: 'autopilot_alarm',
  severity: 'warning',
  meaning: 'The autopilot logged a message of level CRITICAL or higher in flight.',
  advice:
    'Read the message at the marked time; exclude that part of the flight if it reports a loss of control.',
};

const alarmPattern = /^(EMERGENCY|ALERT|CRITICAL): (.*)$/s;
const maxTextLength = 80;

/** Finds logged texts of the levels that ground stations show in red; `null` if there are none in flight. */
function findAlarms(episode: Episode): FlightReport | null {
  const alarmIncidents = episode.events.flatMap(({ label, source, time_s }) => {
    const [, level, text] = source === 'logged text' ? (alarmPattern.exec(label) ?? []) : [];
    if (level === undefined) return [];
    return [{ what: `${level} "${text.trim().slice(0, maxTextLength)}"`, from_s: time_s, to_s: time_s }];
  });
  return createFlightReport('autopilot_alarm', 'logged text', alarmIncidents, episode);
}

/** Measured facts about a flight: power, position and reports of the autopilot. */
export type FlightFacts = {
  readonly battery: BatteryFacts | null;
  readonly satellites: readonly SatelliteFacts[];
  /** Reports of the autopilot in flight; absent if there are none. */
  readonly reports?: readonly FlightReport[];
};

/**
 * Measures battery, satellite reception and reported failures of a flight; `null` for other kinds of recordings, and
 * for flights without any of these.
 */
export function measureFlight({ episode, kind }: Subject): FlightFacts | null {
  if (kind !== 'aerial-flight') return null;
  const battery = findBattery(episode);
  const satellites = measureSatellites(episode);
  const reports = [
    findAttitudeFailures,
    findFailsafes,
    findEstimatorResets,
    findLostMotors,
    findAlarms,
  ].flatMap((family) => family(episode) ?? []);
  if (reports.length > 0) return { battery, satellites, reports };
  return battery === null && satellites.length === 0 ? null : { battery, satellites };
}

/** Grades a flight; returns only the aspects that score below 1. */
export function flightAspects({ battery, satellites, reports = [] }: FlightFacts): Aspect[] {
  const aspects = [
    ...(battery === null ? [] : [batteryAspect(battery)]),
    ...satellites.map(satelliteAspect),
    ...reports.map(reportAspect),
  ];
  return aspects.filter(({ score }) => score < 1);
}

/** Formula rows of the flight aspects. In flight means while armed, if that is recorded. */
export const flightGradedAspects: readonly GradedAspect[] = [
  { what: 'lowest battery voltage per cell in flight', score: '1 at 3.4 V, 0 at 3.2 V' },
  {
    what: 'share of GNSS samples without a 3D fix, with a horizontal accuracy worse than max(5 m, 3 × the median), a vertical accuracy worse than 10 m, or fewer than half the median number of satellites',
    score: '1 at 1 %, 0 at 5 %',
  },
  { what: 'longest run of such samples', score: '1 at 1 s, 0 at 5 s' },
  {
    what: 'reports of the autopilot: an attitude failure, a failsafe, an estimator reset of at least 1 m, 1 m/s or 0.35 rad later than 10 s after arming, a message of level CRITICAL or higher',
    score: '0',
  },
  {
    what: 'the output of one multirotor motor stops or repeats exactly for 2 s while two others change',
    score: '0',
  },
];

/** Notes on the flight aspects, for the check's formula. */
export const flightFormulaNotes = [
  'In flight means while armed, if that is recorded; the number of battery cells is as declared, otherwise derived from the first voltage at 4.2 V per cell',
];

/** Source of the flight thresholds. */
export const flightThresholdSource =
  'battery and GNSS limits from PX4 Flight Review, shares from Aria VrsHealthCheck';

/** All flags of flights. */
export const flightFlags: readonly FlagRow[] = [
  attitudeFailureFlag,
  failsafeFlag,
  estimatorResetFlag,
  motorOutputFlag,
  alarmFlag,
  {
    code: 'battery_low',
    severity: 'warning',
    meaning:
      'The battery voltage fell below 3.3 V per cell in flight: close to a brownout, or not measured correctly.',
    advice:
      'Check the battery and the power module; exclude the marked span, in which thrust may not follow the commands.',
  },
  {
    code: 'gnss_degraded',
    severity: 'warning',
    meaning: 'The GNSS receiver lost its fix or its accuracy in flight.',
    advice: 'Do not train on positions in the marked span; check for jamming, shadowing or a loose antenna.',
  },
];

/** Voltage of a battery in flight. */
type BatteryFacts = {
  readonly stream: string;
  readonly cells: number;
  /**
   * `true` if the autopilot declares the number of cells; else it is derived from the first voltage at 4.2 V
   * per cell.
   */
  readonly cells_declared: boolean;
  readonly lowest_v: number;
  readonly samples: number;
  readonly low: number;
  readonly low_s: Spans;
};

/** Flight Review's rule: below 3.3 V per cell under load a lithium pack is nearly empty. */
const minCell_v = 3.3;
const fullCell_v = 4.2;
const maxCells = 16;

/** Measures the first battery stream with voltages in flight; `null` if there is none. */
function findBattery(episode: Episode): BatteryFacts | null {
  for (const stream of episode.streams) {
    if (!/batter|(^|[/_.])bat\b/i.test(stream.id)) continue;
    const facts = measureBattery(episode, stream);
    if (facts !== null) return facts;
  }
  return null;
}

function measureBattery(episode: Episode, stream: Stream): BatteryFacts | null {
  const voltage = findColumn(stream, /^(voltage_v|voltage|volt)$/i);
  if (voltage === null) return null;
  const declared = readDeclaredCells(stream);
  const state = new Uint8Array(stream.sample_count).fill(2);
  const inFlight = maskFlightRows(episode, stream);
  let cells = declared;
  let lowest_v = Number.POSITIVE_INFINITY;
  let samples = 0;
  let low = 0;
  for (let row = 0; row < state.length; row++) {
    const volts = voltage(row);
    // An autopilot without a measurement writes exactly zero.
    if (!(volts > 0 && volts < 1000)) continue;
    cells ??= Math.min(maxCells, Math.max(1, Math.round(volts / fullCell_v)));
    if (inFlight[row] === 0) {
      state[row] = 0;
      continue;
    }
    samples++;
    lowest_v = Math.min(lowest_v, volts);
    state[row] = volts < minCell_v * cells ? 1 : 0;
    low += state[row];
  }
  if (cells === null || samples === 0) return null;
  const low_s = spansInSeconds(stream, findActiveRuns(state));
  const cells_declared = declared !== null;
  return {
    stream: stream.id,
    cells,
    cells_declared,
    lowest_v: roundFinite(lowest_v, 4),
    samples,
    low,
    low_s,
  };
}

function readDeclaredCells(stream: Stream): number | null {
  const count = findColumn(stream, /^cell_count$/);
  for (let row = 0; count !== null && row < stream.sample_count; row++) {
    const cells = count(row);
    if (cells >= 1 && cells <= maxCells) return cells;
  }
  return null;
}

/** Grades the lowest cell voltage: 1 from 3.4 V, 0 at 3.2 V, so the flag is raised below 3.3 V. */
function batteryAspect({ stream, cells, lowest_v, samples, low, low_s }: BatteryFacts): Aspect {
  const cell_v = lowest_v / cells;
  const unmeasured =
    cell_v < 1
      ? '; so low a value means that the battery was not connected to the sensor, or not measured'
      : '';
  return {
    flag: 'battery_low',
    score: ramp(cell_v, 3.4, 3.2),
    observed: roundFinite(cell_v, 4),
    message: () =>
      `${stream}: lowest voltage in flight ${lowest_v} V; ${low} of ${samples} samples below ${roundFinite(minCell_v * cells, 3)} V (${cells} ${cells === 1 ? 'cell' : 'cells'})${unmeasured}`,
    marks: low_s.map(([from_s, to_s]) => ({ stream, from_s, to_s })),
  };
}
