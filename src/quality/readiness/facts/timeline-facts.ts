import type { ReceiptFacts } from '#core/api';
import { clockOf, keepsRate, recordedRoles, type Stream } from '#core/episode';
import type { Subject } from '../check.ts';
import { dropoutFacts } from '../checks/timeline/dropouts.ts';
import { heldAgainst } from '../checks/timeline/facts.ts';
import type { ClockFeatures } from '../features/clocks/clock-features.ts';
import { missingRows } from '../features/clocks/missing-rows.ts';
import { plain } from '../features/plain.ts';

type TimelineFacts = NonNullable<ReceiptFacts['timeline']>;

/** What the stamps of all clocks say together; null where the source holds none. */
export function timelineFacts(subject: Subject): TimelineFacts | null {
  const clocks = clocksOf(subject);
  if (clocks.length === 0 || subject.episode.clockless !== undefined) return null;
  const recorded = clocks.filter(({ stream }) => isRecorded(stream));
  const paced = recorded.filter(({ stream }) => keepsRate(stream));
  const uneven = worstOf(paced, ({ clock }) => clock.jitter_ratio);
  const lossy = worstOf(paced, ({ clock }) => lostShare(clock));
  const sum = (of: (clock: ClockFeatures) => number): number =>
    clocks.reduce((total, { clock }) => total + of(clock), 0);
  return {
    clocks: clocks.length,
    dropped_share: dropoutFacts(subject.episode)?.share ?? null,
    jitter: uneven === null ? null : plain(uneven.clock.jitter_ratio, 4),
    jitter_stream: uneven?.stream.id ?? null,
    lost_share: lossy === null ? null : plain(lostShare(lossy.clock)),
    lost_stream: lossy?.stream.id ?? null,
    non_finite: sum((clock) => clock.non_finite),
    recorded: recorded.length,
    reversals: sum((clock) => clock.reversals),
    rows: recorded.length > 0 ? null : leapingRows(subject),
    samples: sum((clock) => clock.samples),
  };
}

interface HeldClock {
  readonly stream: Stream;
  readonly clock: ClockFeatures;
}

/** Columns of one table share their stamps, which count once. */
function clocksOf({ episode, features }: Subject): HeldClock[] {
  const seen = new Set<ClockFeatures>();
  return episode.streams.flatMap((stream) => {
    const clock = recordedRoles.has(stream.role) ? features.clock(stream) : null;
    if (clock === null || seen.has(clock)) return [];
    seen.add(clock);
    return [{ stream, clock: heldAgainst(clock, stream, episode) }];
  });
}

const isRecorded = (stream: Stream): boolean => clockOf(stream)?.provenance !== 'synthesised';

const lostShare = ({ missing, samples }: ClockFeatures): number =>
  missing + samples > 0 ? missing / (missing + samples) : 0;

function worstOf(clocks: readonly HeldClock[], of: (held: HeldClock) => number): HeldClock | null {
  return clocks.reduce<HeldClock | null>(
    (most, next) => (most === null || of(next) > of(most) ? next : most),
    null,
  );
}

/** Rows of one table that move, and those at which state and action both leap; null where that cannot be told. */
function leapingRows({ features }: Subject): TimelineFacts['rows'] {
  const pair = features.pair();
  if (pair === null || !pair.same_rows) return null;
  const rows = missingRows(pair.state, features.of(pair.state), pair.action, features.of(pair.action));
  return rows === null ? null : { leaping: rows.leaping, moving: rows.moving };
}
