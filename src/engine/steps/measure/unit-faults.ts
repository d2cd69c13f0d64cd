import { AssayError } from '#core';
import type { Incomplete } from '#core/api';
import type { Episode, Finding } from '#core/episode';
import type { Unopened } from '#formats';
import type { MeasuredRow } from '#store';
import { WorkerLost } from '../../workers/worker-thread.ts';
import type { Task } from '../tasks.ts';
import type { MeasureUnit } from '../units.ts';

/** Errors that say nothing about the recordings: a thread or a decoder that did not answer. */
export type NotMeasured = WorkerLost | AssayError;

/**
 * Returns true for errors that say nothing about the recordings: a lost thread, or the code `unfinished` (a decoder that did
 * not answer).
 */
export function isNotMeasured(thrown: unknown): thrown is NotMeasured {
  return thrown instanceof WorkerLost || (thrown instanceof AssayError && thrown.code === 'unfinished');
}

const retryAdvice = 'assess it again; if the same file fails again';

/** Describes a unit that could not be measured here; paths are relative to its dataset. */
export function unfinishedUnit({ unit }: Pick<Task, 'unit'>, thrown: NotMeasured): Incomplete {
  const episodes = Math.max(1, unit.expected_episodes);
  if (thrown instanceof WorkerLost) {
    return {
      path: unit.id,
      episode: null,
      episodes,
      reason: `the thread reading ${unit.id} ${thrown.message}`,
      advice: `${retryAdvice}, it is corrupt or needs more memory than available: remove it`,
    };
  }
  const { message, path, place, advice } = thrown;
  return {
    path: path ?? unit.id,
    episode: place,
    episodes,
    reason: message,
    advice: advice ?? `${retryAdvice}, remove it`,
  };
}

/** Describes an episode whose pictures could not be decoded here. */
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
    advice: advice ?? `${retryAdvice}, remove it`,
  };
}

/** Returns the error `unfinished` that an `Incomplete` describes. */
export function toUnfinishedError({ path, episode, reason, advice }: Incomplete): AssayError {
  const where = { ...(path === null ? {} : { path }), ...(episode === null ? {} : { place: episode }) };
  return new AssayError('unfinished', reason, { ...where, advice });
}

/** Describes a dataset that could not be opened; its number of episodes is unknown. */
export function unfinishedDataset({ path, reason, advice }: Unopened): Incomplete {
  return { path, episode: null, episodes: 0, reason, advice };
}

/** Number of items listed in a message. */
const maxNamed = 3;

/** Returns the error `unfinished` with the first three of the reasons and the advice `resume`. */
export function unfinishedError(all: readonly Incomplete[], resume: string): AssayError {
  const listed = all.slice(0, maxNamed).map(({ reason, path }) => {
    return path === null || reason.includes(path) ? reason : `${path}: ${reason}`;
  });
  const more = all.length > maxNamed ? [`and ${all.length - maxNamed} more`] : [];
  const [{ path }] = all;
  return new AssayError('unfinished', `some data could not be measured: ${[...listed, ...more].join('; ')}`, {
    ...(path === null ? {} : { path }),
    advice: resume,
  });
}

/** Error code of a run's unit that could not be measured; it is measured when the run is resumed. */
export const notFinished = 'not_finished';

/** Returns the error finding `not_finished` that an `Incomplete` describes. */
export function unfinishedFinding({ path, reason, advice }: Incomplete): Finding {
  return { code: notFinished, severity: 'error', path, message: reason, advice };
}

/** Returns the row of a unit whose threads or processes were all lost, for the reason `why`. */
export function lostUnitRow(task: MeasureUnit, why: string): MeasuredRow {
  const { place, attempt, unit } = task;
  const error = unfinishedFinding(unfinishedUnit(task, new WorkerLost(why)));
  return {
    ...{ place, attempt, state: 'failed', bytes: unit.bytes, compute_s: 0, error },
    ...{ episodes: 0, unreadable: 0, kinds: {}, findings: [] },
    ...{ measured_blob: null, pack_entry: null, shard_blob: null },
  };
}

/**
 * Returns true if an error affects only its unit: one with exit code 3 (unreadable input). A full disk, a cancellation or a
 * program fault ends everything.
 */
export function isUnitFault(thrown: unknown): thrown is AssayError {
  return thrown instanceof AssayError && thrown.exitCode === 3;
}

/** Returns the finding for an unreadable unit. */
export function unitFinding({ unit }: Pick<Task, 'unit'>, thrown: AssayError): Finding {
  return {
    code: thrown.code,
    severity: 'error',
    path: thrown.path ?? unit.id,
    message: `${thrown.message}${thrown.place === null ? '' : ` (at ${thrown.place})`}`,
    advice: thrown.advice ?? 'check this file; the rest was assessed',
  };
}

/**
 * Returns a path with the dataset's folder before it, relative to the assessed path; the folder itself for null, the path
 * unchanged for the folder ''.
 */
export function prefixPath(folder: string, path: string | null): string | null {
  return folder === '' ? path : path === null ? folder : `${folder}/${path}`;
}
