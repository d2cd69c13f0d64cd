import type { AnnotationSource, EpisodeAnnotations } from '../../../shared/write/set/judgement.ts';
import type { TrainingEpisode } from '../../../shared/write/training-episode.ts';
import type { CopiedEpisode } from '../layouts/layout.ts';

/**
 * A row of LeRobot's `language_persistent`: its text is valid from `timestamp` until the next row of its style. Fields
 * in the order of LeRobot 0.6's `datasets/language.py`.
 */
export interface PersistentRow {
  readonly role: 'assistant' | 'user';
  readonly content: string;
  readonly style: 'subtask' | 'plan' | 'task_aug';
  /** Timestamp of a row of the set, as float32. */
  readonly timestamp: number;
  /** Always null: texts of these styles have no camera. */
  readonly camera: null;
  readonly tool_calls: null;
}

/** A language row with its origin, since LeRobot's columns have no field for it. */
export interface LanguageRow {
  readonly row: PersistentRow;
  /** `recording` for the task itself. */
  readonly source: AnnotationSource | 'recording';
  /** Layer that it comes from; null for the task itself. */
  readonly layer: 'segments' | 'captions' | 'dense_text' | null;
}

/** Annotation texts of an episode. */
export interface EpisodeTexts extends Pick<EpisodeAnnotations, 'segments' | 'captions' | 'text'> {
  /** Task texts. */
  readonly tasks: readonly string[];
}

/**
 * Creates the language rows of an episode, sorted by time and style: segments as `subtask`, captions as `plan`, and the
 * dense text with the task itself as `task_aug`. Texts are valid from their first row on; spans without a row are left
 * out. LeRobot's `${task}` alternates among the texts of `task_aug`. The order is that of LeRobot's writer.
 */
export function createLanguageRows(
  { segments, captions, text, tasks }: EpisodeTexts,
  { recorded_s, stamp_s }: RowTimes,
): LanguageRow[] {
  const at = (row: number) => Math.fround(stamp_s(row));
  const spans = <T extends Span>(
    all: readonly T[],
    [layer, style]: readonly ['segments', 'subtask'] | readonly ['captions', 'plan'],
    getText: (span: T) => string,
  ) =>
    all.flatMap((span): LanguageRow[] => {
      const row = findFirstRow(span, recorded_s);
      if (row === null) return [];
      return [{ row: createRow('assistant', style, getText(span), at(row)), source: 'machine', layer }];
    });
  const rows = [
    ...spans(segments ?? [], ['segments', 'subtask'], ({ kind }) => kind),
    ...spans(captions, ['captions', 'plan'], (caption) => caption.text),
    ...(recorded_s.length === 0 ? [] : phraseTask(tasks, text, at(0))),
  ];
  return rows.sort(({ row: a }, { row: b }) => a.timestamp - b.timestamp || compare(a.style, b.style));
}

/** Returns the rows of the task: its own texts, then the dense text; none without a dense text. */
function phraseTask(tasks: readonly string[], text: EpisodeTexts['text'], timestamp: number): LanguageRow[] {
  if (text === null) return [];
  const own = [...new Set(tasks)].map(
    (task): LanguageRow => ({
      row: createRow('user', 'task_aug', task, timestamp),
      source: 'recording',
      layer: null,
    }),
  );
  if (tasks.includes(text.text)) return own;
  const row = createRow('user', 'task_aug', text.text, timestamp);
  return [...own, { row, source: text.source, layer: 'dense_text' }];
}

interface Span {
  readonly from_s: number;
  readonly to_s: number;
}

/** Rounding of times in annotation artifacts, in seconds. */
const rounding_s = 1e-6;

/** Returns the first row in a span; null if there is none. */
function findFirstRow({ from_s, to_s }: Span, recorded_s: Float64Array): number | null {
  const row = recorded_s.findIndex((time) => time >= from_s - rounding_s);
  if (row === -1) return null;
  // A span that begins with the last row is valid although no row follows.
  const isLast = row === recorded_s.length - 1 && Math.abs(recorded_s[row] - to_s) <= rounding_s;
  return recorded_s[row] < to_s - rounding_s || isLast ? row : null;
}

const createRow = (
  role: PersistentRow['role'],
  style: PersistentRow['style'],
  content: string,
  timestamp: number,
): PersistentRow => ({ role, content, style, timestamp, camera: null, tool_calls: null });

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Row times: by the clock of the annotations, and by the timestamps of the new set. */
interface RowTimes {
  readonly recorded_s: Float64Array;
  /** Returns the timestamp of a row in the new set, in seconds. */
  readonly stamp_s: (row: number) => number;
}

/**
 * Returns the time of each row of a copied episode, in seconds: in the recording, and as timestamp of the new set.
 * `rate_hz`: rate of the new set. A complete episode retains its timestamps.
 */
export function copiedRowTimes(
  { times, rate_hz: source_hz }: TrainingEpisode,
  { first, sourceRows, isWhole, rows }: Pick<CopiedEpisode, 'first' | 'sourceRows' | 'isWhole' | 'rows'>,
  rate_hz: number,
): RowTimes {
  const recorded_s = Float64Array.from({ length: rows }, (_, row) => {
    const place = sourceRows?.[row] ?? first + row;
    return times?.[place] ?? place / source_hz;
  });
  return { recorded_s, stamp_s: (row) => (isWhole ? recorded_s[row] : row / rate_hz) };
}

/**
 * Returns the time of each row of a recorded episode, in seconds: `time_s`, or row / `rate_hz` if one of them is not
 * finite; its timestamp is row / `rate_hz` in any case.
 */
export function recordedRowTimes(time_s: Float64Array, rate_hz: number): RowTimes {
  const stamp_s = (row: number) => row / rate_hz;
  const isTimed = time_s.every((time) => Number.isFinite(time));
  return { recorded_s: isTimed ? time_s : time_s.map((_, row) => stamp_s(row)), stamp_s };
}
