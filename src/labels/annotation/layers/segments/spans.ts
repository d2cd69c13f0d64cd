import type { Extent } from '../../motion/extent.ts';
import type { GripperEvent, GripperTrack } from '../../motion/gripper-events.ts';
import type { Motion } from '../../motion/motion.ts';
import type { Boundary, MarkedSpan } from './boundary.ts';

/**
 * What a span is, by what takes at least half of it, the first that does:
 * - `unobserved`: the motion was not recorded;
 * - `gripper_close`, `gripper_open`: a gripper goes the one way or the other; `gripper_change`: nobody knows which;
 * - `still`: nothing moves;
 * - `move`: everything else.
 */
type SpanKind = 'unobserved' | 'gripper_close' | 'gripper_open' | 'gripper_change' | 'still' | 'move';

export interface Span extends MarkedSpan {
  readonly kind: SpanKind;
  /** Why it begins where it does; null: the episode begins. */
  readonly begins: Boundary | null;
  /** Bins whose middle lies in it, `from..to` (exclusive). */
  readonly bins: readonly [from: number, to: number];
}

const kindOfChange = {
  close: 'gripper_close',
  open: 'gripper_open',
  unknown: 'gripper_change',
} as const satisfies Record<GripperEvent['change'], SpanKind>;

/** The spans between boundaries, without boundaries that have the same rest on both sides. */
export function spansOf(
  motion: Motion,
  tracks: readonly GripperTrack[],
  unobserved: readonly MarkedSpan[],
  boundaries: readonly Boundary[],
  extent: Extent,
): Span[] {
  const { from_s, to_s } = motion.bins;
  const marked: (MarkedSpan & { readonly kind: SpanKind })[] = [
    ...unobserved.map((span) => ({ ...span, kind: 'unobserved' as const })),
    ...tracks.flatMap(({ events }) =>
      events.map((event) => ({
        from_s: event.from_s,
        to_s: event.to_s,
        kind: kindOfChange[event.change],
      })),
    ),
    ...motion.still.map(([from, to]) => ({
      from_s: from_s[from],
      to_s: to_s[to - 1],
      kind: 'still' as const,
    })),
  ];
  const starts = [extent.from_s, ...boundaries.map(({ at_s }) => at_s), extent.to_s];
  const covers = coverage(marked, starts);
  const spans = starts.slice(1).map((end_s, i): Span => {
    const [start_s] = [starts[i]];
    return {
      from_s: start_s,
      to_s: end_s,
      kind: kindBy(covers[i], end_s - start_s),
      begins: i === 0 ? null : boundaries[i - 1],
      bins: [firstBin(motion, start_s), firstBin(motion, end_s)],
    };
  });
  return joined(spans);
}

type Cover = Partial<Record<SpanKind, number>>;

/** Seconds of each kind in each span. */
function coverage(
  marked: readonly (MarkedSpan & { readonly kind: SpanKind })[],
  starts: readonly number[],
): Cover[] {
  const covers = starts.slice(1).map((): Cover => ({}));
  for (const { from_s, to_s, kind } of marked)
    for (let i = spanAt(starts, from_s); i < covers.length && starts[i] < to_s; i++) {
      const seconds = Math.min(to_s, starts[i + 1]) - Math.max(from_s, starts[i]);
      covers[i][kind] = (covers[i][kind] ?? 0) + Math.max(0, seconds);
    }
  return covers;
}

function spanAt(starts: readonly number[], at_s: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (starts[middle] <= at_s) low = middle;
    else high = middle - 1;
  }
  return low;
}

const byRank: readonly SpanKind[] = [
  'unobserved',
  'gripper_close',
  'gripper_open',
  'gripper_change',
  'still',
];

function kindBy(cover: Cover, lasts_s: number): SpanKind {
  return byRank.find((kind) => (cover[kind] ?? 0) >= 0.5 * lasts_s && lasts_s > 0) ?? 'move';
}

/** The first bin whose middle is not before a time. */
function firstBin({ bins: { middle_s, count } }: Motion, at_s: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (middle_s[middle] < at_s) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Boundaries that stay between two rests. */
const events: ReadonlySet<Boundary['type']> = new Set(['flight_phase', 'gripper', 'scene_cut']);

function joined(spans: readonly Span[]): Span[] {
  const out: Span[] = [];
  for (const span of spans) {
    const last = out.at(-1);
    const isEvent = span.begins !== null && events.has(span.begins.type);
    const isSame = last !== undefined && last.kind === 'still' && span.kind === 'still' && !isEvent;
    if (isSame) out[out.length - 1] = { ...last, to_s: span.to_s, bins: [last.bins[0], span.bins[1]] };
    else out.push(span);
  }
  return out;
}
