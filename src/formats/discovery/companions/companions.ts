import { companionCode, type Finding } from '#core/episode';
import { splitPath } from '../../shared/file-names.ts';
import type { Companions } from '../recognised-dataset.ts';
import type { EvidenceKind } from './evidence.ts';
import type { KnownFile } from './known-files.ts';
import type { Recordings } from './recordings.ts';

/** Returns the warning on the dataset, with paths relative to the searched folder. */
export function datasetFinding(companions: Companions): Finding {
  const { files, count, reason, advice } = companions;
  return {
    ...{ code: codeOf(companions), severity: 'warning', path: count === 1 ? files[0] : null },
    message: `${count === 1 ? '1 file' : `${count} files`} ${describe(companions, 'recordings')}: ${listFiles(files, count)} (${reason})`,
    advice,
  };
}

/**
 * Returns the finding on an episode. An error, so that the episode is at most `review`: what was read of it may be
 * half of the recording. Without paths, because receipts must not depend on the folder that was searched.
 */
export function episodeFinding(companions: Companions): Finding {
  const { count, reason, advice } = companions;
  return {
    ...{ code: codeOf(companions), severity: 'error', path: null },
    message: `${count === 1 ? 'a file' : `${count} files`} ${describe(companions, 'recording')} (${reason})`,
    advice,
  };
}

const codeOf = ({ is_assessed }: Companions): string =>
  is_assessed ? 'recording_in_two_datasets' : companionCode;

function describe({ count, is_assessed }: Companions, beside: 'recording' | 'recordings'): string {
  const part = count === 1 ? 'looks like a part' : 'look like parts';
  const be = count === 1 ? 'is' : 'are';
  const state = is_assessed ? `${be} assessed separately` : `${be} not read`;
  return `beside the ${beside} ${part} of ${beside === 'recording' ? 'it' : 'them'}, but ${state}`;
}

const maxNamed = 3;

function listFiles(files: readonly string[], count: number): string {
  const named = files.slice(0, maxNamed).join(', ');
  return count > maxNamed ? `${named} and ${count - maxNamed} more` : named;
}

/** Companions of one kind that concern one dataset. */
export interface Group {
  readonly kind: EvidenceKind;
  /** Extension of the files, with its dot. */
  readonly extension: string;
  readonly known: KnownFile | null;
  readonly files: string[];
  /** Paths of the episodes concerned, relative to the searched folder. */
  readonly episodes: Set<string>;
}

const maxFiles = 20;

/** Turns a group into companions with a reason and advice. */
export function describeCompanions(recordings: Recordings, group: Group): Companions {
  const { files, episodes } = group;
  const isWhole = episodes.size === recordings.count;
  return {
    files: files.slice(0, maxFiles),
    count: files.length,
    reason: describeReason(recordings, group),
    advice: chooseAdvice(recordings, group),
    is_assessed: group.kind === 'read_separately',
    episodes: isWhole ? null : recordings.relative([...episodes]).sort(),
  };
}

function describeReason({ noun, count }: Recordings, { kind, known, episodes }: Group): string {
  const all = count === 1 ? `the ${noun}` : `${episodes.size} of ${count} ${noun}s`;
  const what = known === null ? '' : `${known.title}, `;
  switch (kind) {
    case 'names_them':
      return `${what}with data on ${all}, by name`;
    case 'named_like_them':
      return `${what}with the same ${count === 1 ? 'name as' : 'names as'} ${all}`;
    case 'row_per_frame':
      return `${what}with one row per ${noun === 'picture' ? 'picture' : 'frame'} of ${all}`;
    case 'timed_table':
      return `${what}with timestamps, beside ${all}`;
    case 'task_text':
      return known === null
        ? `by ${count === 1 ? 'its' : 'their'} name a task, label or signal of ${all}`
        : `${what}beside ${all}`;
    case 'signals_beside':
      return `signals in a format that is not read, beside ${all}`;
    case 'as_many_files':
      return `as many files as ${noun}s beside them`;
    case 'read_separately':
      return `with the same ${count === 1 ? 'name as' : 'names as'} ${all}`;
  }
}

const tables = /^\.(csv|tsv|parquet)$/;
const elsewhere = 'if they belong to something else, move them out of the folder';

function chooseAdvice(recordings: Recordings, { kind, extension, known, episodes }: Group): string {
  if (known !== null) return known.advice;
  if (kind === 'read_separately')
    return 'move previews and plots out of the folder; to join a video with its signals, save them as CSV or Parquet and run `assay map init FOLDER`';
  if (recordings.noun === 'recording')
    return `save all signals of a recording in one file, or describe them with \`assay map init FOLDER\` (CSV, Parquet); ${elsewhere}`;
  if (recordings.noun === 'video' && tables.test(extension))
    return `run \`assay map init FOLDER\` to describe the tables and their videos; ${elsewhere}`;
  if (recordings.noun === 'video')
    return `save the signals as CSV or Parquet with one row per frame, then run \`assay map init FOLDER\`; ${elsewhere}`;
  const [first] = episodes;
  return recordings.isRecordingFolder(splitPath(first).folder)
    ? `write the pictures of each episode as a video and the signals as CSV or Parquet with one row per frame, then run \`assay map init FOLDER\`; ${elsewhere}`
    : `write the labels as COCO or YOLO, or to metadata.jsonl beside the pictures (for a recording: a video with a table, then \`assay map init FOLDER\`); ${elsewhere}`;
}
