import type { Aspect, ComparedNotes, Mark } from '../../check.ts';
import type { Motion, Spans, Worst } from '../../features/motion.ts';
import { plain } from '../../features/plain.ts';
import { ramp } from '../../features/ramp.ts';

/** Flag and stream of one aspect, as the comparison of motions across episodes names it. */
export const traitOf = ({ flag, stream }: MotionAspect): string => `${flag} ${stream}`;

/** Traits of this episode that its set shares: how the robot is driven or simulated, and no fault of the episode. */
export function usualTraits({ usual_motion }: ComparedNotes): ReadonlySet<string> {
  const traits = usual_motion?.traits;
  return new Set(Array.isArray(traits) ? traits.map(String) : []);
}

type Rating = {
  readonly flag: string;
  readonly score: number;
  readonly observed: number;
  readonly spans: Spans;
  readonly dimension: number | null;
  readonly message: () => string;
};

/** An aspect of the motion of one stream. */
export type MotionAspect = Aspect & { readonly stream: string };

/** What is wrong with the motion of the streams of one episode, one aspect a fault and stream. */
export function motionAspects(motions: readonly Motion[]): MotionAspect[] {
  const aspects: MotionAspect[] = [];
  for (const motion of motions) {
    const { stream } = motion;
    const othersMove = motions.some((other) => other !== motion && !other.constant);
    for (const rating of [...ratings(motion, othersMove), ...dimensionRatings(motion)]) {
      const { flag, score, observed, spans, dimension, message } = rating;
      if (score < 1)
        aspects.push({ flag, score, observed, message, marks: marksOf(stream, spans, dimension), stream });
    }
  }
  return aspects;
}

/** What concerns the stream as a whole. */
function ratings(
  { stream, role, frozen, frozen_s, still, constant, unit }: Motion,
  othersMove: boolean,
): Rating[] {
  const other = role === 'action' ? 'the state' : 'the action';
  const found: Rating[] = [
    {
      flag: role === 'action' ? 'action_frozen' : 'state_frozen',
      score: ramp(frozen, 0.02, 0.12),
      observed: frozen,
      spans: frozen_s,
      dimension: null,
      message: () => `${stream} repeats exactly in ${percent(frozen)} of the rows while ${other} moves`,
    },
  ];
  if (frozen === 0)
    found.push({
      flag: constant && othersMove ? 'signal_constant' : 'signal_still',
      score: ramp(still, 0.6, 1),
      observed: still,
      spans: [],
      dimension: null,
      message: () =>
        constant
          ? `${stream} reads the same in every row`
          : `${stream} does not change in ${percent(still)} of the rows`,
    });
  if (unit !== null)
    found.push({
      flag: 'unit_change',
      score: 0,
      observed: unit.factor,
      spans: unit.spans_s,
      dimension: null,
      message: () =>
        `${stream}: from one row to the next the numbers change by a factor of ${unit.factor} and stay so`,
    });
  return found;
}

/** What concerns its worst dimension. */
function dimensionRatings({ stream, role, stuck, jump, spikes, saturated, chatter }: Motion): Rating[] {
  const command = role === 'action';
  const found: Rating[] = [];
  const add = (flag: string, worst: Worst, score: number, what: string): void => {
    const { dimension, size, spans_s } = worst;
    found.push({
      flag,
      score,
      observed: size,
      spans: spans_s,
      dimension,
      message: () => `${stream}: dimension ${dimension} ${what}`,
    });
  };
  if (stuck !== null)
    add(
      'joint_stuck',
      stuck,
      ramp(stuck.size, 0.15, 0.45),
      `stands still for ${percent(stuck.size)} of the episode while its command moves`,
    );
  const jumpScore = jump === null ? 1 : command ? ramp(jump.size, 18, 40) : ramp(jump.size, 6, 12);
  const spikeScore = spikes === null ? 1 : ramp(spikes.size, 6, 12);
  // A spike is a leap as well, and said once.
  if (jump !== null && jumpScore < spikeScore)
    add('signal_jump', jump, jumpScore, `leaps by ${plain(jump.size, 2)} times the motion around it`);
  if (spikes !== null && spikeScore <= jumpScore)
    add(
      'signal_jump',
      spikes,
      spikeScore,
      `leaves the motion around it and comes back at once ${spikes.count === 1 ? 'in one place' : `in ${spikes.count} places`}, by ${plain(spikes.size, 2)} times that motion at most`,
    );
  if (saturated !== null)
    add(
      'signal_saturated',
      saturated,
      ramp(saturated.size, 0.08, 0.24),
      `sits on one limit in ${percent(saturated.size)} of the rows while others move`,
    );
  if (chatter !== null)
    add(
      'signal_chatter',
      chatter,
      chatterScore(chatter.size, chatter.share, command),
      `alternates from sample to sample, ${chatter.size} times on end and in ${percent(chatter.share)} of the rows`,
    );
  return found;
}

function chatterScore(longest: number, share: number, command: boolean): number {
  return Math.min(command ? ramp(longest, 8, 18) : ramp(longest, 6, 14), ramp(share, 0.25, 0.55));
}

/** Spans of one stream as marks; `dimension` null: of all of it. */
export function marksOf(stream: string, spans: Spans, dimension: number | null): Mark[] {
  return spans.map(([from_s, to_s]) => ({
    stream,
    from_s,
    to_s,
    ...(dimension === null ? {} : { dimension }),
  }));
}

const percent = (share: number): string => `${plain(100 * share, 2)} %`;
