import type { FileEntry } from '#io/sources';
import { isMediaName, splitPath } from '../../shared/file-names.ts';
import type { FileIndex } from './file-index.ts';
import { isArrays, isDerived, isRemarkName, isScan, isSettings, isSignalName, isText } from './file-roles.ts';
import type { TextFacts } from './text-facts.ts';

/** Why a file belongs to recordings. */
export type EvidenceKind =
  | 'names_them'
  | 'named_like_them'
  | 'row_per_frame'
  | 'timed_table'
  | 'task_text'
  | 'signals_beside'
  | 'as_many_files'
  | 'read_separately';

/** An observation about a file, and the recordings that it concerns: single files, and all files of folders. */
export interface Evidence {
  readonly kind: EvidenceKind;
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** A file that no reader read, or that another dataset holds, with its content if it is text. */
export interface Candidate {
  readonly file: FileEntry;
  readonly facts: TextFacts | null;
  /** False for a text that was not read, since enough texts named alike were. */
  readonly is_read: boolean;
  /** Number of unread files with the same name pattern, this one included. */
  readonly alike: number;
}

const minRows = 10;
/** Minimum number of recordings that a text must name, or of texts with the same name pattern that each name one. */
const minMentions = 3;
/** Minimum number of settings files with the same name pattern to count as labels; `camera.yaml` does not belong to `camera.mp4`. */
const minSettings = 3;

/**
 * Returns true for a text that holds data or was not read, and for other files with an extension of arrays or scans.
 */
export function mayHoldData({ file: { path }, facts, is_read }: Candidate): boolean {
  if (facts !== null) return facts.data !== 'none';
  return is_read ? isArrays(path) || isScan(path) : isText(path);
}

/**
 * Returns evidence if a text with data names at least 3 recordings of the index, or all those in its folder; else
 * `null`. Settings files do not count, unless they are labels of a known format. A name that fits several recordings
 * counts for none.
 */
export function findNaming(index: FileIndex, { file, facts, alike }: Candidate): Evidence | null {
  if (facts === null || facts.mentions.length === 0) return null;
  // Settings of a program may name many files without belonging to them.
  if (facts.data === 'none' || (isSettings(file.path) && facts.known === null)) return null;
  const { folder } = splitPath(file.path);
  const named = new Set<string>();
  for (const mention of facts.mentions) {
    const path = index.resolve(folder, mention);
    if (path !== null) named.add(path);
  }
  // A text that names one or two recordings must hold signals: a page or a manifest may show a picture as well.
  const isSure = facts.data === 'signals' || alike >= minMentions;
  const isOfAll = named.size > 0 && (facts.known !== null || (isSure && named.size >= index.countAt(folder)));
  const isEnough = named.size >= minMentions || isOfAll;
  return isEnough ? { kind: 'names_them', files: [...named], folders: [] } : null;
}

/**
 * Returns evidence that a file is named like recordings in its folder, or else in a neighbouring one; `null` if it is
 * not, or if it holds no data, remarks, or settings of which there are fewer than 3.
 */
export function findNamesakes(index: FileIndex, candidate: Candidate): Evidence | null {
  const { file, facts, alike } = candidate;
  const isLoneSettings = isSettings(file.path) && facts?.known == null && alike < minSettings;
  const isRemark = facts?.data === 'values' && isRemarkName(file.path);
  if (isLoneSettings || isRemark || !mayHoldData(candidate)) return null;
  const { folder, name, stem } = splitPath(file.path);
  for (let end = name.length; end > 0; end = lastBreak(name, end)) {
    // `ep0_state.json` belongs to `ep0.mp4`, but `label_names.txt` not to `label.png`.
    const isWord = end < name.length && /[_-]/.test(name[end]);
    if (isWord && !(/^[_-][a-z]/i.test(name.slice(end)) && /\d/.test(name.slice(0, end)))) continue;
    const found = index.withStem(folder, name.slice(0, end));
    if (found.length > 0) return { kind: 'named_like_them', files: found, folders: [] };
  }
  const bare = isMediaName(stem) ? splitPath(stem).stem : stem;
  const files = index.namesakes(folder, bare);
  return files.length > 0 ? { kind: 'named_like_them', files, folders: [] } : null;
}

/** Returns the position of the last `.`, `_` or `-` before `end`; 0 if there is none. */
function lastBreak(name: string, end: number): number {
  return Math.max(...['.', '_', '-'].map((mark) => name.lastIndexOf(mark, end - 1)), 0);
}

/**
 * Returns evidence if a text with data has at least 10 rows, and exactly as many as a folder nearby has pictures; else
 * `null`.
 */
export function findRowPerPicture(pictures: FileIndex, { file, facts }: Candidate): Evidence | null {
  if (facts === null || facts.data === 'none' || facts.rows < minRows) return null;
  const folders = pictures
    .neighboursOf(splitPath(file.path).folder)
    .filter((folder) => pictures.byFolder.get(folder)?.length === facts.rows);
  return folders.length > 0 ? { kind: 'row_per_frame', files: [], folders } : null;
}

/**
 * Returns evidence that a file beside recordings holds their signals, judged by its label format, rising times, name or
 * array extension; `null` if it shows none of these or there are no recordings.
 */
export function findSignalsBeside(index: FileIndex, candidate: Candidate): Evidence | null {
  const { folder, stem } = splitPath(candidate.file.path);
  const kind = kindBeside(candidate, stem);
  if (kind === null) return null;
  // Labels in a known format that name no file may belong to all the files around them.
  const isLabels = candidate.facts?.known != null;
  if (isLabels && candidate.facts.mentions.length > 0) return null;
  const folders = isLabels ? index.neighboursOf(folder) : index.recordingFoldersAt(folder);
  return folders.length > 0 ? { kind, files: [], folders } : null;
}

function kindBeside({ file: { path }, facts }: Candidate, stem: string): EvidenceKind | null {
  if (facts?.known != null) return 'task_text';
  if (isDerived(path)) return null;
  if (facts === null) return isArrays(path) ? 'signals_beside' : null;
  if (facts.is_timed) return 'timed_table';
  if (isSettings(path)) return null;
  // Programs also write files such as `state.json` and `labels.json`, so the name of a JSON file is not enough.
  const isNamed = facts.data !== 'none' && isSignalName(stem) && !/\.json$/i.test(path);
  return facts.is_recording || isNamed ? 'task_text' : null;
}

/**
 * Returns evidence if an array file, or a table of signals with at least 20 rows, has the same name as a recording in
 * its folder; else `null`. Such a recording has signals of its own, and the file holds more of them.
 */
export function findMoreSignals(logs: FileIndex, { file, facts }: Candidate): Evidence | null {
  const isTable =
    facts !== null &&
    /\.(csv|tsv|txt)$/i.test(file.path) &&
    facts.data === 'signals' &&
    facts.rows >= 2 * minRows;
  if (!isTable && !(facts === null && isArrays(file.path))) return null;
  const { folder, stem } = splitPath(file.path);
  const files = logs.withStem(folder, stem);
  return files.length > 0 ? { kind: 'named_like_them', files, folders: [] } : null;
}
