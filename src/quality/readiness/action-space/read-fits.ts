import type { Representation } from '#core/api';
import { ramp } from '../features/ramp.ts';
import { type ColumnFits, chunkLengths, lags, spans } from './column-fits.ts';

/** How well each reading of the actions explains them, where it does best. */
export interface Reading {
  readonly scores: Readonly<Record<Representation, number>>;
  readonly best: Representation;
  /** 0 to 1; see `confidenceOf`. */
  readonly confidence: number;
  /** Lag in rows at the best reading's best fit. */
  readonly lag_rows: number;
  /** Change of the state for one unit of action. */
  readonly gain: number;
  /** Rows that changes were summed over at their best fit. */
  readonly span_rows: number;
  readonly chunk: Chunk | null;
  /** Share of the bends of the action that are the state's, turned round. */
  readonly against_state: number;
  /** The action is the state's own change to the last digits. */
  readonly is_change: boolean;
  /** Share of the columns that by themselves read as the best does. */
  readonly agreeing: number;
}

interface Chunk {
  /** Null: the whole episode. */
  readonly rows: number | null;
  /** Share of the jumps at its boundaries that the way since the last boundary explains, and by what slope. */
  readonly explained: number;
  readonly slope: number;
}

/** Arms answer within this; what fits only later is another thing that moves alike. */
const longestAnswer_s = 0.7;
/** Boundaries that a column, and jumps that all columns together, must have seen before they say anything. */
const leastBoundaries = 3;
const leastJumps = 12;
const leastRebase = 0.3;
const leastShare = 0.2;
/** A reading from the episode's start must beat the plain one by so much. */
const clearly = 0.05;

/** Reads the fits of columns that belong together, all at one lag. Needs at least one. */
export function readFits(fits: readonly ColumnFits[], rate_hz: number | null): Reading {
  const best = readingOf(fits, rate_hz);
  const agreeing = fits.filter((fit) => agrees(readingOf([fit], rate_hz), best.best)).length / fits.length;
  return { ...best, agreeing, confidence: confidenceOf(best, agreeing) };
}

/** Within a little of its own best: a column that starts at zero reads as absolute and as relative to the start alike. */
function agrees({ scores }: Bare, best: Representation): boolean {
  return scores[best] > 0 && scores[best] >= Math.max(...Object.values(scores)) - clearly;
}

type Bare = Omit<Reading, 'agreeing' | 'confidence'>;

function readingOf(fits: readonly ColumnFits[], rate_hz: number | null): Bare {
  const reach = lags.filter((lag) => lag <= 4 || rate_hz === null || lag / rate_hz <= longestAnswer_s).length;
  const level = strongest(reach, (k) => mean(fits, (fit) => fit.level[k].explained));
  const plain = mean(fits, (fit) => fit.level[level.at].explainedThroughZero);
  const start = strongest(reach, (k) => mean(fits, (fit) => fit.since_start[k].explainedThroughZero));
  const change = strongest(spans.length * reach, (i) =>
    mean(fits, (fit) => fit.change[Math.floor(i / reach)][i % reach].explainedThroughZero),
  );
  const against_state = mean(fits, (fit) => fit.bends.opposedAboutZero);
  const rebased = strongestChunk(fits);
  const fromStart = start.value > plain + clearly && start.value > leastRebase;
  const step_delta = Math.max(change.value, against_state);
  const chunked = rebased !== null && rebased.explained > against_state;
  const scores = {
    absolute: fromStart ? plain : level.value,
    step_delta: chunked ? 0 : step_delta,
    chunk_relative: chunked ? rebased.explained : fromStart ? start.value : 0,
  };
  const best = winnerOf(scores, chunked);
  const [w, k] = [Math.floor(change.at / reach), change.at % reach];
  const found = {
    absolute: { lag: lags[level.at], slope: median(fits, (fit) => fit.level[level.at].slope) },
    step_delta: { lag: lags[k], slope: median(fits, (fit) => fit.change[w][k].slopeThroughZero) },
    chunk_relative: chunked
      ? { lag: 0, slope: -rebased.slope }
      : { lag: lags[start.at], slope: median(fits, (fit) => fit.since_start[start.at].slopeThroughZero) },
  }[best];
  return {
    scores,
    best,
    lag_rows: found.lag,
    gain: found.slope === 0 ? 0 : 1 / found.slope,
    span_rows: spans[w],
    chunk:
      best !== 'chunk_relative' ? null : chunked ? rebased : { rows: null, explained: start.value, slope: 1 },
    against_state,
    is_change: change.value > 0.9999 && spans[w] === 1,
  };
}

/** Jumps at boundaries are no accident: where they are explained, that is what the actions are. */
function winnerOf(scores: Readonly<Record<Representation, number>>, chunked: boolean): Representation {
  if (chunked) return 'chunk_relative';
  const { absolute, step_delta, chunk_relative } = scores;
  if (chunk_relative > Math.max(absolute, step_delta)) return 'chunk_relative';
  return step_delta > absolute ? 'step_delta' : 'absolute';
}

/**
 * The chunk length whose boundaries explain the jumps there. Of lengths that explain much, the one with the steepest
 * slope: at a multiple of the true length the way is longer than the jump, at a fraction most boundaries have none.
 */
function strongestChunk(fits: readonly ColumnFits[]): Chunk | null {
  const found: (Chunk & { readonly rows: number })[] = [];
  for (let c = 0; c < chunkLengths.length; c++) {
    const boundaries = fits[0].rebase[c].count;
    if (boundaries < leastBoundaries || boundaries * fits.length < leastJumps) break;
    const explained = mean(fits, (fit) => fit.rebase[c].opposedAboutZero);
    const rows = chunkLengths[c];
    const slope = median(fits, (fit) => fit.rebase[c].slopeThroughZero);
    if (explained < leastRebase || -slope < leastSlope(fits, rows)) continue;
    if (mean(fits, (fit) => shareOfJumps(fit, c)) >= leastShare) found.push({ rows, explained, slope });
  }
  const most = Math.max(0, ...found.map(({ explained }) => explained));
  return found
    .filter(({ explained }) => explained >= 0.5 * most)
    .reduce<Chunk | null>((best, next) => (best === null || next.slope < best.slope ? next : best), null);
}

/** Share of all jumping that happens at the boundaries; 2/3 where there is no other, since a jump bends its neighbours. */
function shareOfJumps({ rebase, jumps }: ColumnFits, c: number): number {
  return jumps.squaresOfY > 0 ? rebase[c].squaresOfY / jumps.squaresOfY : 0;
}

/**
 * Slope below which a jump is nothing beside the steps: actions that count from chunks of n rows step √n times as far
 * as the state in their own unit, most of it in the jumps.
 */
function leastSlope(fits: readonly ColumnFits[], rows: number): number {
  const ratio = median(fits, ({ steps: { deviations } }) =>
    deviations[0] > 0 ? deviations[1] / deviations[0] : 0,
  );
  return (0.3 * ratio) / Math.sqrt(rows);
}

/** Nobody wrote the truth down; numbers alone are never certain. */
const surest = 0.98;

/**
 * Product of three: how much the best reading explains (0 at 15 %, 1 at 60 %), how far ahead of the next it is (0 where
 * level, 1 where the next explains 70 % of it or less), and how many columns read alike by themselves (0.5 to 1).
 */
function confidenceOf({ scores, best, chunk }: Bare, agreeing: number): number {
  const rivals = Object.entries(scores).filter(([id]) => id !== best);
  // Against jumps at boundaries there is nothing to be level with: other readings blur them.
  const next = chunk !== null && chunk.rows !== null ? 0 : Math.max(...rivals.map(([, score]) => score));
  const top = scores[best];
  const ahead = top > 0 ? (top - next) / top : 0;
  return surest * ramp(top, 0.6, 0.15) * ramp(ahead, 0.3, 0) * (0.5 + 0.5 * agreeing);
}

function strongest(
  count: number,
  value: (index: number) => number,
): { readonly at: number; readonly value: number } {
  let at = 0;
  let most = value(0);
  for (let i = 1; i < count; i++) {
    const now = value(i);
    if (now > most) {
      most = now;
      at = i;
    }
  }
  return { at, value: most };
}

function mean(fits: readonly ColumnFits[], value: (fit: ColumnFits) => number): number {
  let sum = 0;
  for (const fit of fits) sum += value(fit);
  return sum / fits.length;
}

function median(fits: readonly ColumnFits[], value: (fit: ColumnFits) => number): number {
  const values = fits.map(value).sort((x, y) => x - y);
  return values[Math.floor(values.length / 2)];
}
