import { companionCode, type Finding } from '#core/episode';
import { splitPath } from '../../shared/file-names.ts';
import type { Companions, RecognisedDataset } from '../recognised-dataset.ts';
import type { EvidenceKind } from './evidence.ts';
import { type FileIndex, recordingFiles } from './file-index.ts';
import type { KnownFile } from './known-files.ts';

/**
 * Returns the dataset's warning that files beside its recordings, of which it names up to 3, look like parts of them,
 * but are not read or are assessed separately. Paths are relative to the searched folder.
 */
export function datasetFinding(companions: Companions): Finding {
  const { files, count, reason, advice } = companions;
  return {
    ...{ code: codeOf(companions), severity: 'warning', path: count === 1 ? files[0] : null },
    message: `${count === 1 ? '1 file' : `${count} files`} ${describe(companions, 'recordings')}: ${listFiles(files, count)} (${reason})`,
    advice,
  };
}

/**
 * Returns the error on an episode beside which files look like parts of it, but are not read or are assessed
 * separately. An error, so that the episode is at most `review`: what was read of it may be half of the recording. It
 * names no files, because receipts must not depend on the folder that was searched.
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
  return `next to the ${beside} ${part} of ${beside === 'recording' ? 'it' : 'them'}, but ${state}`;
}

const maxNamed = 3;

function listFiles(files: readonly string[], count: number): string {
  const named = files.slice(0, maxNamed).join(', ');
  return count > maxNamed ? `${named} and ${count - maxNamed} more` : named;
}

/** Companions of one kind that concern one dataset. */
export interface Group {
  readonly kind: EvidenceKind;
  readonly index: FileIndex;
  /** Extension of the files, with its dot. */
  readonly extension: string;
  readonly known: KnownFile | null;
  /** The first of the files. */
  readonly files: string[];
  count: number;
  /** Paths of the episodes concerned, relative to the searched folder. */
  readonly episodes: Set<string>;
}

/**
 * Returns the record of a group of companions with its reason and advice; `episodes` lists the episodes concerned,
 * sorted and relative to the dataset, or is `null` if they are all of the dataset.
 */
export function describeCompanions(dataset: RecognisedDataset, group: Group): Companions {
  const { index, files, count, kind } = group;
  const all = recordingFiles(dataset).length;
  const episodes = [...group.episodes];
  const subject: Subject = { noun: index.noun, count: all, concerned: episodes.length };
  const base = dataset.path === '' ? 0 : dataset.path.length + 1;
  const isSequence = index.isRecordingFolder(splitPath(episodes[0]).folder);
  return {
    ...{ files, count },
    reason: describeReason(subject, group),
    advice: chooseAdvice(subject, group, isSequence),
    is_assessed: kind === 'read_separately',
    episodes: episodes.length === all ? null : episodes.map((path) => path.slice(base)).sort(),
  };
}

/** Episodes of the dataset: what they are called, how many there are and how many are concerned. */
interface Subject {
  readonly noun: FileIndex['noun'];
  readonly count: number;
  readonly concerned: number;
}

const nounTitle = (noun: FileIndex['noun']): string => (noun === 'picture' ? 'image' : noun);

function describeReason({ noun, count, concerned }: Subject, { kind, known }: Group): string {
  const title = nounTitle(noun);
  const all = count === 1 ? `the ${title}` : `${concerned} of ${count} ${title}s`;
  const what = known === null ? '' : `${known.title}, `;
  switch (kind) {
    case 'names_them':
      return `${what}with data on ${all}, by name`;
    case 'named_like_them':
      return `${what}with the same ${count === 1 ? 'name as' : 'names as'} ${all}`;
    case 'row_per_frame':
      return `${what}with one row per ${noun === 'picture' ? 'image' : 'frame'} of ${all}`;
    case 'timed_table':
      return `${what}with timestamps, next to ${all}`;
    case 'task_text':
      return known === null
        ? `by ${count === 1 ? 'its' : 'their'} name or content a task, label or signal of ${all}`
        : `${what}next to ${all}`;
    case 'signals_beside':
      return `signals in an unsupported format, next to ${all}`;
    case 'as_many_files':
      return `as many files as ${title}s next to them`;
    case 'read_separately':
      return `with the same ${count === 1 ? 'name as' : 'names as'} ${all}`;
  }
}

/** Extensions of files that a mapping can describe. */
const mappable = /^\.(csv|tsv|parquet|h5|hdf5|npz|npy|pkl|pickle|jsonl?|ndjson)$/;
const elsewhere = 'if they belong to something else, move them out of the folder';

function chooseAdvice({ noun }: Subject, { kind, extension, known }: Group, isSequence: boolean): string {
  if (known !== null) return known.advice;
  if (kind === 'read_separately')
    return 'move previews and plots out of the folder; to join a video with its signals, run `assay map init FOLDER`';
  if (noun === 'recording')
    return `save all signals of a recording in one file, or describe them with \`assay map init FOLDER\` (HDF5, NPZ, JSON, CSV, Parquet); ${elsewhere}`;
  if (mappable.test(extension) && (noun === 'video' || isSequence))
    return `run \`assay map init FOLDER\` to describe these files and their ${nounTitle(noun)}s; ${elsewhere}`;
  if (noun === 'video')
    return `save the signals as HDF5, NPZ, JSON, CSV or Parquet with one row per frame, then run \`assay map init FOLDER\`; ${elsewhere}`;
  return isSequence
    ? `write the images of each episode as a video and the signals as HDF5, NPZ, JSON, CSV or Parquet with one row per frame, then run \`assay map init FOLDER\`; ${elsewhere}`
    : `write the labels as COCO or YOLO, or to metadata.jsonl next to the images (for a recording: a video with a table, then \`assay map init FOLDER\`); ${elsewhere}`;
}
