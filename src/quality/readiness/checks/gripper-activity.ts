import { checkTitles } from '#core/titles';
import { type Aspect, defineCheck } from '../check.ts';
import {
  countCrossings,
  findGripperSignals,
  type GripperSignal,
  staysAtEnds,
} from '../features/gripper-signals.ts';
import { ramp, roundFinite } from '../features/numeric.ts';

type Grip = {
  readonly stream: string;
  readonly dimension: number;
  /** Used range as a fraction of the gripper's travel. */
  readonly used: number;
  readonly travel_evidence: string;
  readonly crossings: number;
};

type Values = { readonly duration_s: number; readonly grippers: readonly Grip[] };

const maxListed = 8;

export const gripperActivity = defineCheck<Values>({
  id: 'gripper_activity',
  title: checkTitles.gripper_activity,
  needs: 'a gripper dimension in state or action, identified by name or format',
  kinds: ['teleop', 'state-only'],
  formula: {
    combine: 'minimum of',
    aspects: [
      {
        what: 'range used by the most active gripper, as a share of its travel (from the declared convention, otherwise the scale that fits its values: 0.08 m, 1, π, 100, 255)',
        score: '1 from 10 %, 0 at 2 %',
      },
      {
        what: 'crossings from 30 % to 70 % of a gripper’s range per second; at least 6 crossings, in a signal that is outside the middle 60 % of its range half of the time',
        score: '1 at 1, 0 at 4',
      },
    ],
    notes: ['Multi-joint hands are not scored'],
  },
  threshold: {
    value: 0.5,
    source:
      'middle of each ramp: a grasp uses far more than 6 % of the travel, and no operator opens and closes a gripper five times in two seconds for long',
  },
  weight: 1,
  flags: [
    {
      code: 'gripper_idle',
      severity: 'info',
      meaning: 'The gripper hardly moves during the episode.',
      advice:
        'This is fine for pushing and reaching tasks; otherwise the grasp was missed or the gripper was not recorded.',
    },
    {
      code: 'gripper_chatter',
      severity: 'warning',
      meaning: 'The gripper opens and closes repeatedly in quick succession.',
      advice: 'Debounce the gripper command, or check for two publishers on one topic.',
    },
  ],
  calibrated_on: 'synthetic pick-and-place episodes, and copies with idle and toggling grippers',
  measure({ episode, features }) {
    const states = findGripperSignals(episode, features, 'state');
    const signals = states.length > 0 ? states : findGripperSignals(episode, features, 'action');
    if (signals.length === 0) return { status: 'inapplicable', reason: 'no gripper dimension identified' };
    if (signals.every(({ stream }) => stream.sample_count < 3))
      return { status: 'not_assessable', reason: 'the gripper has fewer than three samples' };
    return {
      status: 'measured',
      values: {
        duration_s: roundFinite(episode.duration_s),
        grippers: signals.slice(0, maxListed).map(measureGrip),
      },
    };
  },
  judge({ grippers, duration_s }) {
    const busiest = grippers.reduce((most, grip) => (grip.used > most.used ? grip : most));
    const aspects: Aspect[] = [
      {
        flag: 'gripper_idle',
        score: ramp(busiest.used, 0.1, 0.02),
        observed: busiest.used,
        message: () => `${formatGripper(busiest)} uses ${roundFinite(100 * busiest.used, 2)} % of its travel`,
      },
    ];
    for (const grip of grippers) {
      if (grip.crossings < 6 || !(duration_s > 0)) continue;
      const rate_hz = grip.crossings / duration_s;
      aspects.push({
        flag: 'gripper_chatter',
        score: ramp(rate_hz, 1, 4),
        observed: roundFinite(rate_hz),
        message: () =>
          `${formatGripper(grip)} opens and closes: ${grip.crossings} crossings of its range in ${duration_s} s`,
      });
    }
    return aspects;
  },
});

function measureGrip(signal: GripperSignal): Grip {
  const [low, high] = signal.range;
  const moves =
    high - low > 0.1 * signal.travel && staysAtEnds(signal.stream, signal.dimension, signal.range);
  return {
    stream: signal.stream.id,
    dimension: signal.dimension,
    used: signal.travel > 0 ? roundFinite((high - low) / signal.travel, 4) : 0,
    travel_evidence: signal.travel_evidence,
    crossings: moves ? countCrossings(signal) : 0,
  };
}

const formatGripper = ({ stream, dimension }: Grip): string => `${stream} dimension ${dimension}`;
