/** A time span in seconds since the start of the episode. */
export interface Span {
  readonly from_s: number;
  readonly to_s: number;
}

/** A flag as the timeline shows it. */
export interface TimelineFlag {
  readonly code: string;
  readonly check: string;
  readonly severity: 'blocking' | 'warning' | 'info';
  /** Spans of streams that the flag is about; of one dimension if `dimension` is set. */
  readonly marks: readonly (Span & { readonly stream: string; readonly dimension?: number | undefined })[];
  /** Note on how many of the flag's spans are marked; empty if all are. */
  readonly note?: string;
}

/** A span of a stream that a flag is about. */
export interface TimelineMark extends Span {
  readonly stream: string;
  readonly dimension?: number | undefined;
  /** Index of the flag. */
  readonly flag: number;
  readonly severity: TimelineFlag['severity'];
  readonly code: string;
  readonly check: string;
}

/** Maximum number of marks of one flag that are drawn. */
export const maxMarks = 200;

/** Returns the marks of all flags in one list, each with the index, severity, code and check of its flag. */
export function listMarks(flags: readonly TimelineFlag[]): TimelineMark[] {
  return flags.flatMap(({ marks, severity, code, check }, flag) =>
    marks.map((mark) => ({ ...mark, flag, severity, code, check })),
  );
}

/** Formats a span, as in `2.43 s` or `2.43–3.10 s`. */
export const formatSpan = ({ from_s, to_s }: Span): string =>
  to_s - from_s < 0.005 ? `${from_s.toFixed(2)} s` : `${from_s.toFixed(2)}–${to_s.toFixed(2)} s`;

/**
 * Returns a function that returns a mark that overlaps a time span, blocking ones first, or `undefined`; only of the
 * flag with index `chosen` unless that is `null`.
 */
export function markFinder(
  marks: readonly TimelineMark[],
  chosen: number | null,
): (from_s: number, to_s: number) => TimelineMark | undefined {
  const own = chosen === null ? marks : marks.filter(({ flag }) => flag === chosen);
  const sorted = own.toSorted(
    (a, b) => Number(b.severity === 'blocking') - Number(a.severity === 'blocking'),
  );
  return (from, to) => sorted.find(({ from_s, to_s }) => to_s >= from && from_s <= to);
}
