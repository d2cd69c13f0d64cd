import type { Aspect, FlagRow, Subject } from '../../check.ts';
import type { GradedAspect } from '../../formula.ts';
import { alarmFlag, alarms } from './alarm.ts';
import { attitudeFailureFlag, attitudeFailures } from './attitude-failure.ts';
import { type BatteryFacts, batteryAspect, batteryFacts } from './battery.ts';
import { estimatorResetFlag, estimatorResets } from './estimator-reset.ts';
import { failsafeFlag, failsafes } from './failsafe.ts';
import { motorOutputFlag, motorOutputs } from './motor-output.ts';
import { type Report, reportAspect } from './report.ts';
import { type SatelliteFacts, satelliteAspect, satelliteFacts } from './satellite.ts';

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
