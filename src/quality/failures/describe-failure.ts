import type { FailureRecord } from '#core/api';
import type { CurationEpisode } from '#quality/curation';
import { descriptors } from '#quality/search';
import { textVector } from './text-vector.ts';
import { trajectoryEpisode } from './trajectory-episode.ts';

/** A failure as it is compared. Plain data: it crosses threads. */
export interface DescribedFailure {
  readonly id: string;
  /** Null: there is nothing to compare, for `reason`. */
  readonly by: 'motion' | 'words' | null;
  readonly vector: Float32Array | null;
  /** What must be equal for two vectors to mean the same. */
  readonly layout: string;
  readonly reason: string | null;
  /** Plan name of the episode of the baseline's set that holds it. */
  readonly episode: string | null;
}

/** What is known of an episode that holds a failure. */
export type HeldFailure = Pick<CurationEpisode, 'id' | 'motion' | 'layouts'>;

/**
 * By the motion of the episode that holds it, else of its trajectory, else by the words of its task. `task`: of records
 * that name none; `held`: the episode, where the record names one that is known; `inSet`: whether it is of the
 * baseline's set.
 */
export function describeFailure(
  record: FailureRecord,
  task: string | null,
  held: HeldFailure | null,
  inSet: boolean,
): DescribedFailure {
  const own = { id: record.id, episode: held !== null && inSet ? held.id : null };
  if (held !== null) {
    if (held.motion !== undefined) return byMotion(own, held.motion, held.layouts?.motion ?? '');
    return nothing(own, 'the episode that holds it has no descriptor of its motion');
  }
  if (record.trajectory !== undefined) {
    const episode = trajectoryEpisode(record.id, record.trajectory);
    const made = descriptors.get('motion')!.describe({ episode, cameras: new Map() }, null);
    return 'reason' in made
      ? nothing(own, made.reason)
      : byMotion(own, Float32Array.from(made.vector), made.layout);
  }
  if (record.recording !== undefined)
    return nothing(own, 'its recording was not read: a service reads sources, register it as one');
  const words = record.task ?? task;
  if (words === null) return nothing(own, 'the record has no trajectory, no episode and no task');
  const vector = textVector(words);
  return vector === null
    ? nothing(own, 'there is no word in its task')
    : { ...own, by: 'words', vector, layout: '', reason: null };
}

type Own = Pick<DescribedFailure, 'id' | 'episode'>;

const byMotion = (own: Own, vector: Float32Array, layout: string): DescribedFailure => ({
  ...own,
  by: 'motion',
  vector,
  layout,
  reason: null,
});

const nothing = (own: Own, reason: string): DescribedFailure => ({
  ...own,
  by: null,
  vector: null,
  layout: '',
  reason,
});
