import { statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { AssayError, asUnreadable } from '#core';
import { type FailureRecord, mostFailures } from '#core/api';
import { curationEpisodes, indexEpisodes } from '#engine/local';
import type { CurationEpisode } from '#quality/curation';
import { type DescribedFailure, describeFailure, failureFormatOf, readFailures } from '#quality/failures';
import { assessOptionsOf, type WorkArguments } from '../../assess-options.ts';
import type { Io } from '../../io.ts';
import { createProgressLine } from '../../tables/progress-line.ts';
import { textOf } from '../export/plan-choice.ts';

/** What `--failures` names. */
export type FailureChoice =
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly format: 'json' | 'csv' | 'lerobot-eval';
      readonly text: string;
      readonly records: readonly FailureRecord[];
      readonly notes: readonly string[];
    }
  | { readonly kind: 'recordings'; readonly path: string };

/** Reads a list of failures; anything else is taken for recordings. Throws `unreadable_input`, `not_found`. */
export function readChoice(path: string): FailureChoice {
  let isFile: boolean;
  try {
    isFile = statSync(path).isFile();
  } catch (thrown) {
    throw asUnreadable(thrown, path, 'name a file of failures or a folder of recordings');
  }
  if (!isFile || !/\.(json|csv)$/i.test(path)) return { kind: 'recordings', path };
  const text = textOf(path);
  const format = failureFormatOf(basename(path), text)!;
  return { kind: 'file', path, format, text, ...readFailures(text, format, path) };
}

export interface FailureContext extends WorkArguments {
  /** Of records that name none. */
  readonly task?: string;
}

/** Failures as they are compared with the episodes of the training data. Throws `usage` for an episode that is not there. */
export async function failuresOf(
  choice: FailureChoice,
  episodes: readonly CurationEpisode[],
  context: FailureContext,
  io: Io,
): Promise<DescribedFailure[]> {
  const task = context.task ?? null;
  if (choice.kind === 'recordings') return ofRecordings(await indexed(choice.path, context, io), choice.path);
  const byRecording = new Map<string, readonly CurationEpisode[]>();
  const described: DescribedFailure[] = [];
  for (const record of choice.records) {
    const { recording } = record;
    if (recording === undefined) {
      const held = record.episode === undefined ? null : episodeOf(episodes, record, record.episode);
      described.push(describeFailure(record, task, held, true));
      continue;
    }
    const path = resolve(dirname(choice.path), recording);
    const found = byRecording.get(path) ?? (await indexed(path, context, io));
    byRecording.set(path, found);
    const only = record.episode === undefined && found.length === 1 ? found[0].id : (record.episode ?? '');
    described.push(describeFailure(record, task, episodeOf(found, record, only), false));
  }
  return described;
}

function ofRecordings(found: readonly CurationEpisode[], path: string): DescribedFailure[] {
  const failed = found.filter(({ outcome }) => outcome !== 'success');
  if (failed.length === 0)
    throw new AssayError('unreadable_input', `${path} has no episode that did not succeed`, {
      path,
      advice: 'name recordings of attempts that failed',
    });
  if (failed.length > mostFailures)
    throw new AssayError(
      'limit_exceeded',
      `${path} has ${failed.length} attempts; ${mostFailures} are taken at once`,
      {
        path,
        advice: 'add --limit, or name a part of the recordings',
      },
    );
  return failed.map((episode) => describeFailure({ id: episode.id }, null, episode, false));
}

async function indexed(path: string, context: FailureContext, io: Io): Promise<readonly CurationEpisode[]> {
  const progress = createProgressLine(io, path);
  const hooks = { signal: io.signal, onProgress: progress.show };
  const index = await indexEpisodes(path, assessOptionsOf(context), hooks).finally(() => progress.end());
  return curationEpisodes(index);
}

function episodeOf(
  episodes: readonly CurationEpisode[],
  { id, recording }: FailureRecord,
  name: string,
): CurationEpisode {
  const found = episodes.find((episode) => episode.id === name);
  if (found !== undefined) return found;
  const [example] = episodes;
  throw new AssayError(
    'usage',
    `${recording ?? 'the training data'} has no episode ${name}, which the failure ${id} names`,
    {
      advice: example === undefined ? 'name another recording' : `name one such as ${example.id}`,
    },
  );
}
