import { significant } from '#core';
import type { Stream } from '#core/episode';
import type { Subject } from '../check.ts';
import { comparedStreams, groupBy, layoutOf } from '../comparing/compared-signals.ts';
import { medianOf } from '../comparing/robust.ts';
import { type ComparedRow, defineComparison } from '../comparison.ts';
import { ramp } from '../features/ramp.ts';
import { restOf, secondWidest } from '../features/rest.ts';

/** How much of the episode the robot rests, and how far it moves at all. */
export type RestRow = {
  readonly layout: string;
  /** Share of the time in which no dimension moves; null where the episode is too short to tell. */
  readonly rest: number | null;
  /** The second widest range of a dimension: the widest may be a gripper's. */
  readonly reach: number;
};

type Note = { readonly rest: number; readonly usual: number };

const fewest = 4;
/** An episode that moves by less than this share of what is usual rests throughout. */
const hardlyMoves = 0.1;
/** A pause is part of a demonstration; in a shorter episode it may be most of it. */
const pauses_s = 3;
const least_s = 1;

export const idleEpisode = defineComparison<RestRow>({
  id: 'idle_episode',
  title: 'Idle episodes',
  about:
    'The share of an episode’s time, in fortieths, in which no dimension of the state (or of the action, where there is no state) moves by more than 1.5 % of its range, or all of it, where nothing moves by a tenth of what is usual in the set. Seconds of rest before the first motion and after the last are normal; a set whose episodes usually rest for half of the time is not judged.',
  judged_by: ['kinematic_sanity'],
  raises: {
    check: 'kinematic_sanity',
    flags: [
      {
        code: 'episode_idle',
        severity: 'warning',
        meaning: 'The robot rests for most of the episode.',
        advice: 'Trim the idle part, or leave the episode out: a policy learns to wait from it.',
        echo_of: 'unit_drift',
      },
    ],
    judge: (note) => [
      {
        flag: 'episode_idle',
        score: ramp(Number(note.rest), 0.4, 0.6),
        observed: Number(note.rest),
        message: () =>
          `nothing moves in ${Math.round(100 * Number(note.rest))} % of the episode, in the others in ${Math.round(100 * Number(note.usual))} %`,
      },
    ],
  },
  collect(subject) {
    if (subject.kind !== 'teleop' && subject.kind !== 'state-only') return null;
    const [state] = comparedStreams(subject, 'state');
    const [action] = comparedStreams(subject, 'action');
    const stream = state ?? action;
    if (stream === undefined || subject.episode.duration_s < least_s) return null;
    const short = subject.episode.duration_s < pauses_s;
    const rest = short ? null : restOf(stream.series!, subject.features.of(stream));
    return {
      layout: layoutOf([stream]),
      reach: reachOf(stream, subject),
      rest: rest === null ? null : significant(rest, 4),
    };
  },
  conclude(rows) {
    const notes = new Map<string, Note>();
    for (const group of groupBy(rows, (row) => row.layout).values()) concludeGroup(group, notes);
    return { findings: [], notes };
  },
});

function reachOf(stream: Stream, { features }: Subject): number {
  const { minimum, maximum, dims } = features.of(stream);
  return significant(
    secondWidest(dims, (d) => maximum[d] - minimum[d]),
    3,
  );
}

function concludeGroup(group: readonly ComparedRow<RestRow>[], notes: Map<string, Note>): void {
  const alone = group.length < fewest;
  const shares = group.map(({ row }) => row.rest).filter((rest) => rest !== null);
  const usual = alone || shares.length === 0 ? 0 : medianOf(shares);
  if (usual >= 0.5) return;
  const reach = medianOf(group.map(({ row }) => row.reach));
  for (const { episode, row } of group) {
    const still = !alone && row.reach < hardlyMoves * reach;
    const rest = still ? 1 : (row.rest ?? 0);
    if (rest > 0.5) notes.set(episode, { rest, usual: significant(usual, 3) });
  }
}
