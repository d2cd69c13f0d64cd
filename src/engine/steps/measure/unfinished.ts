import { AssayError } from '#core';
import type { Incomplete } from '#core/api';
import type { Episode } from '#core/episode';
import type { Unopened } from '#formats';
import { WorkerLost } from '../../workers/worker-thread.ts';
import type { Task } from '../tasks.ts';

/** What was thrown over a unit and says nothing of its recordings: a thread or a decoder that came to no answer. */
export type NotMeasured = WorkerLost | AssayError;

export function isNotMeasured(thrown: unknown): thrown is NotMeasured {
  return thrown instanceof WorkerLost || (thrown instanceof AssayError && thrown.code === 'unfinished');
}

const onceMore = 'assess it again; where the same comes again at the same file';

/** A unit that was not measured here: paths as its dataset says them. */
export function unfinishedUnit({ unit }: Pick<Task, 'unit'>, thrown: NotMeasured): Incomplete {
  const episodes = Math.max(1, unit.expected_episodes);
  if (thrown instanceof WorkerLost) {
    return {
      path: unit.id,
      episode: null,
      episodes,
      reason: `reading ${unit.id} ended its thread: it ${thrown.message}`,
      advice: `${onceMore}, it is damaged or needs more memory than there is: take it out`,
    };
  }
  const { message, path, place, advice } = thrown;
  return {
    path: path ?? unit.id,
    episode: place,
    episodes,
    reason: message,
    advice: advice ?? `${onceMore}, take it out`,
  };
}

/** An episode whose pictures could not be decoded here. */
export function unfinishedEpisode(
  { id, locator }: Episode,
  { message, path, advice }: AssayError,
): Incomplete {
  const where = path ?? locator.path;
  return {
    path: where,
    episode: id,
    episodes: 1,
    reason: message,
    advice: advice ?? `${onceMore}, take it out`,
  };
}

/** The same as an error, for callers that need a unit whole or not at all. */
export function unfinishedIn({ path, episode, reason, advice }: Incomplete): AssayError {
  const where = { ...(path === null ? {} : { path }), ...(episode === null ? {} : { place: episode }) };
  return new AssayError('unfinished', reason, { ...where, advice });
}

/** A dataset that was not opened here: nobody knows how many episodes it holds. */
export function unfinishedDataset({ path, reason, advice }: Unopened): Incomplete {
  return { path, episode: null, episodes: 0, reason, advice };
}

/** How many one message names. */
const named = 3;

/** Everything that was not measured, as one error. */
export function unfinishedError(all: readonly Incomplete[], resume: string): AssayError {
  const told = all.slice(0, named).map(({ reason, path }) => {
    return path === null || reason.includes(path) ? reason : `${path}: ${reason}`;
  });
  const more = all.length > named ? [`and ${all.length - named} more`] : [];
  const [{ path }] = all;
  return new AssayError(
    'unfinished',
    `not everything could be measured here: ${[...told, ...more].join('; ')}`,
    {
      ...(path === null ? {} : { path }),
      advice: resume,
    },
  );
}
