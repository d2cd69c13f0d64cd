import type { FileEntry } from '#io/sources';
import { splitPath } from '../../shared/file-names.ts';
import { isMediaName } from './listing-words.ts';
import type { Recordings } from './recordings.ts';
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

/** One observation, with the files of the episodes that it concerns. */
export interface Evidence {
  readonly kind: EvidenceKind;
  readonly episodes: readonly string[];
}

/** A file that no reader read, or that another dataset holds, with its content if it is text. */
export interface Candidate {
  readonly file: FileEntry;
  readonly facts: TextFacts | null;
  /** False for a text that was not read, since enough texts named alike were. */
  readonly is_read: boolean;
}

/** Extensions of files that hold arrays or recordings. */
const signalFiles =
  /\.(np[yz]|pkl|pickle|parquet|feather|arrow|h5|hdf5|mat|svo2?|rrd|tdms|mcap|bag|db3|ulg|msgpack)$/i;
/** Pictures in other formats, and what cameras write beside a video: previews and thumbnails. */
export const otherPictures = /\.(svgz?|eps|ai|xcf|thm|lrv)$/i;
const signalTables = /\.(csv|tsv|jsonl|ndjson|json|txt)$/i;
const signalWords =
  /(^|[^a-z])(instructions?|lang|language|tasks?|prompts?|goals?|captions?|narrations?|actions?|states?|joints?|poses?|imu|gps|gnss|odom(etry)?|timestamps?|trajector(y|ies)|labels?|annotations?)([^a-z]|$)/i;
const classList = /(class(es)?|names)$/i;
const minRows = 10;
/** Number of recordings that a text must name, unless there are fewer. */
const minMentions = 3;

/** Returns evidence that a text names the recordings and holds data on them. */
export function findMentions(recordings: Recordings, { file, facts }: Candidate): Evidence | null {
  if (facts === null || !facts.has_data || facts.mentions.length === 0) return null;
  const { folder } = splitPath(file.path);
  const named = new Set<string>();
  for (const mention of facts.mentions) {
    const path = recordings.resolve(folder, mention);
    if (path !== null) named.add(path);
  }
  // Settings of a program may name one file.
  const isSettings = /\.(ya?ml|toml)$/i.test(file.path);
  const needed =
    isSettings || facts.known !== null
      ? minMentions
      : Math.min(minMentions, recordings.countAt(folder) || minMentions);
  const enough = facts.known === null ? needed : 1;
  return named.size >= enough ? { kind: 'names_them', episodes: [...named] } : null;
}

/** Returns evidence that a file is named like recordings in its folder, or in a neighbouring one. */
export function findNamesakes(recordings: Recordings, { file, facts }: Candidate): Evidence | null {
  if (facts !== null && !facts.has_data) return null;
  const { folder, name, stem } = splitPath(file.path);
  const bare = isMediaName(stem) ? splitPath(stem).stem : stem;
  for (let end = name.length; end > 0; end = lastBreak(name, end)) {
    // `ep0_state.json` belongs to `ep0.mp4`, but `label_names.txt` not to `label.png`.
    const isWord = end < name.length && /[_-]/.test(name[end]);
    if (isWord && !(/^[_-][a-z]/i.test(name.slice(end)) && /\d/.test(name.slice(0, end)))) continue;
    const found = recordings.withStem(folder, name.slice(0, end));
    if (found.length > 0) return { kind: 'named_like_them', episodes: found };
  }
  const apart = recordings.neighboursOf(folder).flatMap((place) => recordings.withStem(place, bare));
  return apart.length > 0 ? { kind: 'named_like_them', episodes: apart } : null;
}

/** Returns the position of the last `.`, `_` or `-` before `end`; 0 if there is none. */
function lastBreak(name: string, end: number): number {
  return Math.max(
    name.lastIndexOf('.', end - 1),
    name.lastIndexOf('_', end - 1),
    name.lastIndexOf('-', end - 1),
    0,
  );
}

/** Returns evidence that a table has a row for each picture of a folder. */
export function findRowPerPicture(recordings: Recordings, { file, facts }: Candidate): Evidence | null {
  if (recordings.noun !== 'picture' || facts === null || !facts.has_data || facts.rows < minRows) return null;
  for (const place of recordings.neighboursOf(splitPath(file.path).folder)) {
    const pictures = recordings.byFolder.get(place) ?? [];
    if (Math.abs(pictures.length - facts.rows) <= 1) return { kind: 'row_per_frame', episodes: pictures };
  }
  return null;
}

/** Returns evidence from what a file is: a table with times, a text or signal by its name, an array, beside recordings. */
export function findSignalsBeside(recordings: Recordings, { file, facts }: Candidate): Evidence | null {
  const { folder, stem } = splitPath(file.path);
  const isSignal = facts === null && signalFiles.test(file.path);
  const isTimed = facts?.is_timed === true;
  const isNamed = facts?.has_data === true && signalWords.test(stem) && !classList.test(stem);
  const isLabels = facts?.known != null;
  if (!isSignal && !isTimed && !isNamed && !isLabels) return null;
  const kind = isSignal ? 'signals_beside' : isTimed ? 'timed_table' : 'task_text';
  const places = isLabels ? recordings.neighboursOf(folder) : recordings.foldersAt(folder);
  const episodes = places
    .filter((place) => isLabels || recordings.isRecordingFolder(place))
    .flatMap((place) => recordings.byFolder.get(place) ?? []);
  return episodes.length > 0 ? { kind, episodes } : null;
}

/** Returns evidence that signals of a recording with signals of its own are in another file of the same name. */
export function findMoreSignals(recordings: Recordings, { file, facts }: Candidate): Evidence | null {
  const { folder, stem } = splitPath(file.path);
  const isTable =
    facts !== null && signalTables.test(file.path) && facts.has_data && facts.rows >= 2 * minRows;
  if (!isTable && !(facts === null && signalFiles.test(file.path))) return null;
  const episodes = recordings.withStem(folder, stem);
  return episodes.length > 0 ? { kind: 'named_like_them', episodes } : null;
}
