import type { Episode } from '#core/episode';
import { checkTitles } from '#core/titles';
import { type Aspect, defineCheck } from '../check.ts';
import type { EpisodeFeatures } from '../features/episode-features.ts';
import {
  correlateGripper,
  findGripperSignals,
  type GripperSignal,
  parseConventionLimits,
} from '../features/gripper-signals.ts';
import { ramp, roundFinite } from '../features/numeric.ts';
import { computeRange } from '../features/stream-rows.ts';

type Answer = {
  readonly state: string;
  readonly dimension: number;
  /**
   * Used ranges as fractions of each one's travel; for the command, without its last moments, which the
   * gripper had no time to follow.
   */
  readonly commanded: number;
  readonly answered: number;
  /** Largest and smallest correlation over lags of 0 to 20 rows; `null` if either is constant. */
  readonly largest: number | null;
  readonly smallest: number | null;
};

type ConventionRange = {
  readonly stream: string;
  readonly dimension: number;
  readonly range: readonly [number, number];
  readonly limits: readonly [number, number];
};

type Values = { readonly answers: readonly Answer[]; readonly conventions: readonly ConventionRange[] };

const maxListed = 8;

export const gripperConsistency = defineCheck<Values>({
  id: 'gripper_consistency',
  title: checkTitles.gripper_consistency,
  needs: 'a gripper in both state and action, or one with a declared convention',
  kinds: ['teleop', 'state-only'],
  formula: {
    combine: 'minimum of, for each gripper',
    aspects: [
      {
        what: 'polarity, if −r₋ > r₊, where r₋ and r₊ are the lowest and highest correlation of state and action over lags of 0 to 20 rows',
        score: '1 at −r₋ = 0.3, 0 at 0.8',
      },
      {
        what: 'travel used by the state, if the command (without its last 0.7 s) uses more than 30 % of its travel, unless both correlate by more than 0.5',
        score: '1 from 10 %, 0 at 2 %',
      },
      {
        what: 'values outside the declared scale, as a share of the scale',
        score: '1 at 0.1, 0 at 0.5',
      },
    ],
    notes: [
      'A convention inferred only from the robot type is not checked against the values',
      'Which end means open is never inferred from the values',
    ],
  },
  threshold: {
    value: 0.5,
    source:
      'middle of each ramp; state and action of the same polarity correlate by more than 0.8 at their lag, and calibrated scales overshoot by a few per cent',
  },
  weight: 1,
  flags: [
    {
      code: 'gripper_polarity_mismatch',
      severity: 'warning',
      meaning: 'The gripper state falls when its command rises: one of them is inverted.',
      advice: 'Invert one of them before training; some datasets are recorded this way (AgiBot, VLABench).',
    },
    {
      code: 'gripper_not_following',
      severity: 'warning',
      meaning: 'The gripper is commanded to move, but its state does not change.',
      advice:
        'Check the driver and power supply of the gripper; the episode may contain a failed grasp labelled as a success.',
    },
    {
      code: 'gripper_out_of_range',
      severity: 'warning',
      meaning: 'Gripper values are outside the declared scale.',
      advice: 'Recalibrate the gripper, or correct its declared scale.',
    },
  ],
  calibrated_on: 'synthetic pick-and-place episodes, and copies with inverted, dead and rescaled grippers',
  measure({ episode, features }) {
    const states = findGripperSignals(episode, features, 'state');
    const actions = findGripperSignals(episode, features, 'action');
    if (states.length + actions.length === 0)
      return { status: 'inapplicable', reason: 'no gripper dimension identified' };
    const conventions = collectConventions(episode);
    const paired = states.length > 0 && states.length === actions.length;
    if (!paired && conventions.length === 0)
      return {
        status: states.length === 0 || actions.length === 0 ? 'inapplicable' : 'not_assessable',
        reason: `${states.length} grippers in the state, ${actions.length} in the action, and no declared convention with a scale`,
      };
    const answers = paired
      ? states.slice(0, maxListed).map((state, i) => measureAnswer(state, actions[i], features))
      : [];
    return { status: 'measured', values: { answers, conventions } };
  },
  judge({ answers, conventions }) {
    const aspects: Aspect[] = [];
    for (const answer of answers) addAnswerAspects(answer, aspects);
    for (const { stream, dimension, range, limits } of conventions) {
      const width = limits[1] - limits[0];
      const over = Math.max(limits[0] - range[0], range[1] - limits[1], 0) / width;
      aspects.push({
        flag: 'gripper_out_of_range',
        score: ramp(over, 0.1, 0.5),
        observed: roundFinite(over),
        message: () =>
          `${stream} dimension ${dimension} ranges from ${range[0]} to ${range[1]}; the declared convention is ${limits[0]} to ${limits[1]}`,
      });
    }
    return aspects;
  },
});

function collectConventions(episode: Episode): ConventionRange[] {
  const found: ConventionRange[] = [];
  for (const gripper of episode.grippers) {
    const limits = parseConventionLimits(gripper);
    // Only a declared convention is binding, not one inferred from the robot's name.
    if (limits === null || gripper.evidence !== 'declared' || found.length === maxListed) continue;
    const { stream, dimension, range_observed } = gripper;
    const range = [roundFinite(range_observed[0]), roundFinite(range_observed[1])] as const;
    found.push({ stream, dimension, limits, range });
  }
  return found;
}

/**
 * Time that a gripper needs to follow a command; later commands are ignored. The rest must have at least
 * `minRows` rows.
 */
const responseTime = { s: 0.7, rows: 3 } as const;
const minRows = 20;

/**
 * Returns the range of the commands that the gripper had time to follow, as a fraction of its travel; 0 if
 * there are too few.
 */
function computeAnswerableRange(
  { stream, dimension, travel }: GripperSignal,
  features: EpisodeFeatures,
): number {
  const { samples, median_step_s } = features.forStream(stream);
  const step_s = median_step_s ?? (stream.declared_rate_hz === null ? 0 : 1 / stream.declared_rate_hz);
  const time = Math.max(responseTime.rows, step_s > 0 ? Math.ceil(responseTime.s / step_s) : 0);
  const until = samples - 1 - time;
  return until < minRows || !(travel > 0)
    ? 0
    : roundFinite(computeRange(stream.series!, dimension, 0, until) / travel, 4);
}

function measureAnswer(state: GripperSignal, action: GripperSignal, features: EpisodeFeatures): Answer {
  const correlation = correlateGripper(state, action);
  return {
    state: state.stream.id,
    dimension: state.dimension,
    commanded: computeAnswerableRange(action, features),
    answered: computeUsedTravel(state),
    largest: correlation === null ? null : roundFinite(correlation.largest, 4),
    smallest: correlation === null ? null : roundFinite(correlation.smallest, 4),
  };
}

/** Minimum correlation at which a state follows its command, whatever the scale. */
const minFollowCorrelation = 0.5;

function computeUsedTravel({ range: [low, high], travel }: GripperSignal): number {
  return travel > 0 ? roundFinite((high - low) / travel, 4) : 0;
}

function addAnswerAspects(answer: Answer, aspects: Aspect[]): void {
  const { state, dimension, commanded, answered, largest, smallest } = answer;
  const moves = commanded > 0.1 && answered > 0.1;
  if (moves && largest !== null && smallest !== null && -smallest > largest)
    aspects.push({
      flag: 'gripper_polarity_mismatch',
      score: ramp(-smallest, 0.3, 0.8),
      observed: smallest,
      message: () => `${state} dimension ${dimension} and its action correlate by ${smallest}`,
    });
  const follows = largest !== null && largest > minFollowCorrelation;
  if (commanded > 0.3 && !follows)
    aspects.push({
      flag: 'gripper_not_following',
      score: ramp(answered, 0.1, 0.02),
      observed: answered,
      message: () =>
        `the command uses ${roundFinite(100 * commanded, 2)} % of the travel, ${state} dimension ${dimension} only ${roundFinite(100 * answered, 2)} %`,
    });
}
