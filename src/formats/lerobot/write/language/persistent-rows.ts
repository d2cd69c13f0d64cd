import type { Annotated } from '../../../shared/write/set/judgement.ts';
import type { TrainingEpisode } from '../../../shared/write/training-episode.ts';
import type { KeptEpisode } from '../kept-episode.ts';

/**
 * A row of LeRobot's `language_persistent`: its text holds from `timestamp` on until the next row of its style does. As
 * `datasets/language.py` of LeRobot 0.6 has it, members in its order.
 */
export interface PersistentRow {
  readonly role: 'assistant' | 'user';
  readonly content: string;
  readonly style: 'subtask' | 'plan' | 'task_aug';
  /** Stamp of a row of the set, as float32. */
  readonly timestamp: number;
  /** Texts of these styles are of no camera. */
  readonly camera: null;
  readonly tool_calls: null;
}

/** What is said of an episode. */
export interface Spoken extends Pick<Annotated, 'segments' | 'captions' | 'text'> {
  /** Texts of its tasks. */
  readonly tasks: readonly string[];
}

/**
 * Segments as `subtask`, captions as `plan`, each from the first row that lies in it on. The dense text is a `task_aug` from
 * the first row on, behind the task itself: LeRobot's `${task}` takes turns among them. Sorted as LeRobot's own writer does.
 */
export function persistentRows(
  { segments, captions, text, tasks }: Spoken,
  { recorded_s, stamp_s }: RowTimes,
): PersistentRow[] {
  const at = (row: number) => Math.fround(stamp_s(row));
  const spans = <T extends Span>(all: readonly T[], style: 'subtask' | 'plan', said: (span: T) => string) =>
    all.flatMap((span) => {
      const row = firstRowIn(span, recorded_s);
      return row === null ? [] : [rowOf('assistant', style, said(span), at(row))];
    });
  const phrasings = text === null ? [] : [...new Set([...tasks, text])];
  const rows = [
    ...spans(segments ?? [], 'subtask', ({ kind }) => kind),
    ...spans(captions, 'plan', (caption) => caption.text),
    ...(recorded_s.length === 0 ? [] : phrasings.map((one) => rowOf('user', 'task_aug', one, at(0)))),
  ];
  return rows.sort((a, b) => a.timestamp - b.timestamp || compare(a.style, b.style));
}

interface Span {
  readonly from_s: number;
  readonly to_s: number;
}

/** Artifacts round times to microseconds. */
const rounding_s = 1e-6;

/** Null: no row lies in the span. */
function firstRowIn({ from_s, to_s }: Span, recorded_s: Float64Array): number | null {
  const row = recorded_s.findIndex((time) => time >= from_s - rounding_s);
  if (row === -1) return null;
  // A span that begins with the last row has no row after it.
  const isLast = row === recorded_s.length - 1 && Math.abs(recorded_s[row] - to_s) <= rounding_s;
  return recorded_s[row] < to_s - rounding_s || isLast ? row : null;
}

const rowOf = (
  role: PersistentRow['role'],
  style: PersistentRow['style'],
  content: string,
  timestamp: number,
): PersistentRow => ({ role, content, style, timestamp, camera: null, tool_calls: null });

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** When rows of an episode are: by the clock that layers count on, and by the stamps of the new set. */
interface RowTimes {
  readonly recorded_s: Float64Array;
  readonly stamp_s: (row: number) => number;
}

/** Of rows that are copied: `rate_hz` is that of the new set. An episode that is whole keeps its stamps. */
export function copiedTimes(
  { times, rate_hz: source_hz }: TrainingEpisode,
  { first, picked, whole, rows }: Pick<KeptEpisode, 'first' | 'picked' | 'whole' | 'rows'>,
  rate_hz: number,
): RowTimes {
  const recorded_s = Float64Array.from({ length: rows }, (_, row) => {
    const place = picked?.[row] ?? first + row;
    return times?.[place] ?? place / source_hz;
  });
  return { recorded_s, stamp_s: (row) => (whole ? recorded_s[row] : row / rate_hz) };
}

/** Of rows that are laid over recorded streams; without a clock they lie evenly. */
export function laidTimes(time_s: Float64Array, rate_hz: number): RowTimes {
  const stamp_s = (row: number) => row / rate_hz;
  const isTimed = time_s.every((time) => Number.isFinite(time));
  return { recorded_s: isTimed ? time_s : time_s.map((_, row) => stamp_s(row)), stamp_s };
}
