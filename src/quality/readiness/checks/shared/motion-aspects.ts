import type { Aspect, ComparisonNotes, Mark, Subject } from '../../check.ts';
import type { Motion, Spans, WorstDimension } from '../../features/motion.ts';
import { ramp, roundFinite } from '../../features/numeric.ts';

/** Returns the key of a trait, `<flag> <stream>`, as the comparison `usual_motion` stores it. */
export const traitOf = ({ flag, stream }: MotionAspect): string => `${flag} ${stream}`;

/**
 * Returns the traits, as `traitOf` names them, that the episode shares with its dataset; empty without a note. They
 * show how the robot is driven or simulated and are no defect of the episode.
 */
export function readUsualTraits({ usual_motion }: ComparisonNotes): ReadonlySet<string> {
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

/** An aspect about the motion of one stream. */
export type MotionAspect = Aspect & { readonly stream: string };

/**
 * Grades the motion of an episode's streams; returns the aspects that score below 1, one per anomaly and
 * stream.
 */
export function motionAspects(motions: readonly Motion[]): MotionAspect[] {
  const aspects: MotionAspect[] = [];
  for (const motion of motions) {
    const { stream } = motion;
    const othersMove = motions.some((other) => other !== motion && !other.constant);
    for (const rating of [...rateStream(motion, othersMove), ...rateDimensions(motion)]) {
      const { flag, score, observed, spans, dimension, message } = rating;
      if (score < 1)
        aspects.push({
          flag,
          score,
          observed,
          message,
          marks: createSpanMarks(stream, spans, dimension),
          stream,
        });
    }
  }
  return aspects;
}

/** Rates the stream as a whole. */
function rateStream(
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
      message: () =>
        `${stream} is frozen (exactly repeated) in ${formatShare(frozen)} of the rows while ${other} moves`,
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
          ? `${stream} has the same value in every row`
          : `${stream} does not change in ${formatShare(still)} of the rows`,
    });
  if (unit !== null)
    found.push({
      flag: 'unit_change',
      score: 0,
      observed: unit.factor,
      spans: unit.spans_s,
      dimension: null,
      message: () =>
        `${stream}: the values change by a factor of ${unit.factor} from one row to the next and stay at the new scale`,
    });
  return found;
}

/** Rates the worst dimension for each kind of anomaly. */
function rateDimensions({ stream, role, stuck, jump, spikes, saturated, chatter }: Motion): Rating[] {
  const command = role === 'action';
  const found: Rating[] = [];
  const add = (flag: string, worst: WorstDimension, score: number, what: string): void => {
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
      `does not move for ${formatShare(stuck.size)} of the episode while its command moves`,
    );
  const jumpScore = jump === null ? 1 : command ? ramp(jump.size, 18, 40) : ramp(jump.size, 6, 12);
  const spikeScore = spikes === null ? 1 : ramp(spikes.size, 6, 12);
  // A spike is a leap too; report only the worse of both.
  if (jump !== null && jumpScore < spikeScore)
    add('signal_jump', jump, jumpScore, `jumps by ${roundFinite(jump.size, 2)} times the surrounding motion`);
  if (spikes !== null && spikeScore <= jumpScore)
    add(
      'signal_jump',
      spikes,
      spikeScore,
      `has ${spikes.count === 1 ? '1 spike' : `${spikes.count} spikes`} of up to ${roundFinite(spikes.size, 2)} times the surrounding motion`,
    );
  if (saturated !== null)
    add(
      'signal_saturated',
      saturated,
      ramp(saturated.size, 0.08, 0.24),
      `stays exactly at one limit in ${formatShare(saturated.size)} of the rows while other dimensions move`,
    );
  if (chatter !== null)
    add(
      'signal_chatter',
      chatter,
      scoreChatter(chatter.size, chatter.share, command),
      `alternates from sample to sample, up to ${chatter.size} times in a row and in ${formatShare(chatter.share)} of all rows`,
    );
  return found;
}

function scoreChatter(longest: number, share: number, command: boolean): number {
  return Math.min(command ? ramp(longest, 8, 18) : ramp(longest, 6, 14), ramp(share, 0.25, 0.55));
}

/** Creates marks from the spans of a stream; `dimension` `null` marks the whole stream. */
export function createSpanMarks(stream: string, spans: Spans, dimension: number | null): Mark[] {
  return spans.map(([from_s, to_s]) => ({
    stream,
    from_s,
    to_s,
    ...(dimension === null ? {} : { dimension }),
  }));
}

const formatShare = (share: number): string => `${roundFinite(100 * share, 2)} %`;

const maxStreams = 8;

/**
 * Measures the motion of the first `maxStreams` state and action streams with at least three samples, without
 * setpoints of autopilots and event-driven commands. The action and state that belong together are compared with each
 * other, further streams are measured alone. Setpoints step, clip and alternate by design; event-driven commands
 * repeat exactly while the robot moves.
 */
export function measureMotions({ episode, features, kind }: Subject): Motion[] {
  const judged = episode.streams.filter(
    (stream) =>
      (stream.role === 'state' ||
        (stream.role === 'action' && kind !== 'aerial-flight' && stream.event_driven === undefined)) &&
      stream.series !== undefined &&
      features.forStream(stream).samples >= 3,
  );
  return judged.slice(0, maxStreams).map((stream) => features.motion(stream));
}
