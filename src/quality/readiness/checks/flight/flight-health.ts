import type { Episode, Stream } from '#core/episode';
import type { Aspect, FlagRow, Subject } from '../../check.ts';
import { spansInSeconds } from '../../features/marks.ts';
import type { Spans } from '../../features/motion.ts';
import { plain } from '../../features/plain.ts';
import { ramp } from '../../features/ramp.ts';
import type { GradedAspect } from '../../formula.ts';
import { attitudeFailureFlag, attitudeFailures } from './attitude-failure.ts';
import { estimatorResetFlag, estimatorResets } from './estimator-reset.ts';
import { motorOutputFlag, motorOutputs } from './motor-output.ts';
import { errorsOf, type Report, reportAspect, reportOf, type Told } from './report.ts';
import { columnOf, flightRows, runsOf } from './rows.ts';
import { type SatelliteFacts, satelliteAspect, satelliteFacts } from './satellite.ts';

const failsafeFlag: FlagRow = {
  code: 'autopilot_failsafe',
  severity: 'warning',
  meaning: 'The autopilot went into a failsafe in flight: it flew by its own rules and not as commanded.',
  advice: 'Leave the marked span out of training; look which link, battery or fence it was.',
};

/** ArduPilot's subsystems whose errors are failsafes. */
const subsystems = {
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

/** Failsafes by PX4's vehicle_status or ArduPilot's errors. */
function failsafes(episode: Episode): Report | null {
  const told: Told[] = [];
  let since_s: number | null = null;
  for (const { label, source, time_s } of episode.events) {
    if (source !== 'vehicle_status.failsafe') continue;
    if (label === 'failsafe') since_s ??= time_s;
    else if (since_s !== null) {
      told.push({ what: 'failsafe', from_s: since_s, to_s: time_s });
      since_s = null;
    }
  }
  if (since_s !== null) told.push({ what: 'failsafe', from_s: since_s, to_s: episode.duration_s });
  return (
    reportOf('autopilot_failsafe', 'vehicle_status.failsafe', told, episode) ??
    reportOf('autopilot_failsafe', 'ERR', errorsOf(episode, subsystems), episode)
  );
}

const alarmFlag: FlagRow = {
  code: 'autopilot_alarm',
  severity: 'warning',
  meaning: 'The autopilot logged a text of level critical or worse in flight.',
  advice: 'Read the text at the mark; leave the span out where it says that control was lost.',
};

const alarming = /^(EMERGENCY|ALERT|CRITICAL): (.*)$/s;
const longestText = 80;

/** Texts of the levels that ground stations show in red. */
function alarms(episode: Episode): Report | null {
  const told = episode.events.flatMap(({ label, source, time_s }) => {
    const [, level, text] = source === 'logged text' ? (alarming.exec(label) ?? []) : [];
    if (level === undefined) return [];
    return [{ what: `${level} "${text.trim().slice(0, longestText)}"`, from_s: time_s, to_s: time_s }];
  });
  return reportOf('autopilot_alarm', 'logged text', told, episode);
}

/** What an aircraft flew on: its power and its position. */
export type FlightFacts = {
  readonly battery: BatteryFacts | null;
  readonly satellites: readonly SatelliteFacts[];
  /** What the autopilot itself reported in flight; absent: nothing. */
  readonly reports?: readonly Report[];
};

/** null for anything that does not fly, and for flights that recorded neither. */
export function flightFacts({ episode, kind }: Subject): FlightFacts | null {
  if (kind !== 'aerial-flight') return null;
  const battery = batteryFacts(episode);
  const satellites = satelliteFacts(episode);
  const reports = [attitudeFailures, failsafes, estimatorResets, motorOutputs, alarms].flatMap(
    (family) => family(episode) ?? [],
  );
  if (reports.length > 0) return { battery, satellites, reports };
  return battery === null && satellites.length === 0 ? null : { battery, satellites };
}

/** An aspect for everything that does not score 1. */
export function flightAspects({ battery, satellites, reports = [] }: FlightFacts): Aspect[] {
  const aspects = [
    ...(battery === null ? [] : [batteryAspect(battery)]),
    ...satellites.map(satelliteAspect),
    ...reports.map(reportAspect),
  ];
  return aspects.filter(({ score }) => score < 1);
}

/** What is graded in flight: while armed, where that is recorded. */
export const flightGraded: readonly GradedAspect[] = [
  { what: 'in flight, lowest battery voltage a cell', score: '1 at 3.4 V, 0 at 3.2 V' },
  {
    what: 'satellite samples without a 3D fix, with a horizontal accuracy beyond max(5 m, 3 × the median), a vertical one beyond 10 m, or fewer than half the median of satellites, share',
    score: '1 at 1 %, 0 at 5 %',
  },
  { what: 'the longest run of such samples', score: '1 at 1 s, 0 at 5 s' },
  {
    what: 'what the autopilot reported itself: a failed attitude, a failsafe, a jump of its estimate of at least 1 m, 1 m/s or 0.35 rad later than 10 s after arming, a text of level critical or worse',
    score: '0',
  },
  {
    what: 'the output of one motor of a multirotor stops or repeats exactly for 2 s while two others change',
    score: '0',
  },
];

export const flightNotes = [
  'In flight means while armed, where that is recorded; battery cells are as declared, or as many as the first voltage over 4.2 V tells',
];

export const flightSource =
  'battery and satellite limits are those of PX4 Flight Review’s diagnostics, the shares those of Aria VrsHealthCheck';

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
      'The battery’s voltage fell below 3.3 V a cell in flight: a brownout was near, or it was not measured.',
    advice:
      'Check the pack and the power module; leave the marked span out, where thrust no longer followed commands.',
  },
  {
    code: 'gnss_degraded',
    severity: 'warning',
    meaning: 'The satellite receiver lost its fix, or its accuracy, for a while in flight.',
    advice: 'Do not train on position in the marked span; look for jamming, shading or a loose antenna.',
  },
];

/** What a battery's voltage did in flight. */
type BatteryFacts = {
  readonly stream: string;
  readonly cells: number;
  /** The autopilot said how many; else by the first voltage, 4.2 V a cell. */
  readonly cells_declared: boolean;
  readonly lowest_v: number;
  readonly samples: number;
  readonly low: number;
  readonly low_s: Spans;
};

/** Flight Review's rule: below 3.3 V a cell under load a lithium pack is about to give out. */
const lowCell_v = 3.3;
const fullCell_v = 4.2;
const mostCells = 16;

/** Of the first stream that is a battery's; null where none is, or where it measured nothing in flight. */
function batteryFacts(episode: Episode): BatteryFacts | null {
  for (const stream of episode.streams) {
    if (!/batter|(^|[/_.])bat\b/i.test(stream.id)) continue;
    const facts = factsOf(episode, stream);
    if (facts !== null) return facts;
  }
  return null;
}

function factsOf(episode: Episode, stream: Stream): BatteryFacts | null {
  const voltage = columnOf(stream, /^(voltage_v|voltage|volt)$/i);
  if (voltage === null) return null;
  const declared = declaredCells(stream);
  const state = new Uint8Array(stream.sample_count).fill(2);
  const inFlight = flightRows(episode, stream);
  let cells = declared;
  let lowest_v = Number.POSITIVE_INFINITY;
  let samples = 0;
  let low = 0;
  for (let row = 0; row < state.length; row++) {
    const volts = voltage(row);
    // Exactly zero is what an autopilot without a measurement writes.
    if (!(volts > 0 && volts < 1000)) continue;
    cells ??= Math.min(mostCells, Math.max(1, Math.round(volts / fullCell_v)));
    if (inFlight[row] === 0) {
      state[row] = 0;
      continue;
    }
    samples++;
    lowest_v = Math.min(lowest_v, volts);
    state[row] = volts < lowCell_v * cells ? 1 : 0;
    low += state[row];
  }
  if (cells === null || samples === 0) return null;
  const low_s = spansInSeconds(stream, runsOf(state));
  const cells_declared = declared !== null;
  return { stream: stream.id, cells, cells_declared, lowest_v: plain(lowest_v, 4), samples, low, low_s };
}

function declaredCells(stream: Stream): number | null {
  const count = columnOf(stream, /^cell_count$/);
  for (let row = 0; count !== null && row < stream.sample_count; row++) {
    const cells = count(row);
    if (cells >= 1 && cells <= mostCells) return cells;
  }
  return null;
}

/** 1 from 3.4 V a cell, 0 at 3.2 V: half, where the flag is raised, at 3.3 V. */
function batteryAspect({ stream, cells, lowest_v, samples, low, low_s }: BatteryFacts): Aspect {
  const cell_v = lowest_v / cells;
  const unmeasured =
    cell_v < 1 ? '; so little means that the pack was not measured, or not connected there' : '';
  return {
    flag: 'battery_low',
    score: ramp(cell_v, 3.4, 3.2),
    observed: plain(cell_v, 4),
    message: () =>
      `${stream}: down to ${lowest_v} V in flight, under ${plain(lowCell_v * cells, 3)} V for ${cells} ${cells === 1 ? 'cell' : 'cells'} in ${low} of ${samples} samples${unmeasured}`,
    marks: low_s.map(([from_s, to_s]) => ({ stream, from_s, to_s })),
  };
}
