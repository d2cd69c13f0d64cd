import type { Representation } from '#core/api';
import { ramp } from '../features/numeric.ts';
import { type ColumnFits, chunkLengths, lagRows, spanRows } from './column-fits.ts';

/** Scores of each representation at its best fit, with the parameters of the best. */
export interface Reading {
  readonly scores: Readonly<Record<Representation, number>>;
  readonly best: Representation;
  /** Confidence 0..1; see `computeConfidence`. */
  readonly confidence: number;
  /** Lag in rows at the best fit. */
  readonly lag_rows: number;
  /** Change of the state per unit of action. */
  readonly gain: number;
  /** Number of rows over which changes were summed at their best fit. */
  readonly span_rows: number;
  readonly chunk: Chunk | null;
  /** Fraction of the action's bends that are the state's with opposite sign. */
  readonly against_state: number;
  /** `true` if the action equals the state's own change. */
  readonly is_change: boolean;
  /** Fraction of the columns whose own fit gives the best representation. */
  readonly agreeing: number;
}

interface Chunk {
  /** Length in rows; `null` for the whole episode. */
  readonly rows: number | null;
  /**
   * Fraction of the jumps at the boundaries that the displacement since the last boundary explains, and the
   * slope.
   */
  readonly explained: number;
  readonly slope: number;
}

/** Maximum response time of an arm; a fit at a longer lag is another signal that moves alike. */
const maxResponse_s = 0.7;
/** Minimum number of boundaries per column, and of jumps over all columns, for chunk detection. */
const minBoundaries = 3;
const minJumps = 12;
const minRebaseExplained = 0.3;
const minJumpShare = 0.2;
/** Minimum advantage of actions relative to the episode's start over absolute ones. */
const minMargin = 0.05;

/**
 * Finds the representation that best explains a group of columns (at least one) at a common lag, with the share of
 * columns that agree and a confidence.
 */
export function readFits(fits: readonly ColumnFits[], rate_hz: number | null): Reading {
  const best = scoreFits(fits, rate_hz);
  const agreeing = fits.filter((fit) => agrees(scoreFits([fit], rate_hz), best.best)).length / fits.length;
  return { ...best, agreeing, confidence: computeConfidence(best, agreeing) };
}

/**
 * Returns `true` if a column's score for `best` is close to its highest score: a column that starts at zero
 * is absolute and relative to the start alike.
 */
function agrees({ scores }: FitScores, best: Representation): boolean {
  return scores[best] > 0 && scores[best] >= Math.max(...Object.values(scores)) - minMargin;
}

type FitScores = Omit<Reading, 'agreeing' | 'confidence'>;

function scoreFits(fits: readonly ColumnFits[], rate_hz: number | null): FitScores {
  const lagCount = lagRows.filter(
    (lag) => lag <= 4 || rate_hz === null || lag / rate_hz <= maxResponse_s,
  ).length;
  const level = findMaximum(lagCount, (k) => mean(fits, (fit) => fit.level[k].explained));
  const plain = mean(fits, (fit) => fit.level[level.at].explainedThroughZero);
  const start = findMaximum(lagCount, (k) => mean(fits, (fit) => fit.since_start[k].explainedThroughZero));
  const change = findMaximum(spanRows.length * lagCount, (i) =>
    mean(fits, (fit) => fit.change[Math.floor(i / lagCount)][i % lagCount].explainedThroughZero),
  );
  const against_state = mean(fits, (fit) => fit.bends.opposedAboutZero);
  const rebased = findChunk(fits);
  const fromStart = start.value > plain + minMargin && start.value > minRebaseExplained;
  const step_delta = Math.max(change.value, against_state);
  const chunked = rebased !== null && rebased.explained > against_state;
  const scores = {
    absolute: fromStart ? plain : level.value,
    step_delta: chunked ? 0 : step_delta,
    chunk_relative: chunked ? rebased.explained : fromStart ? start.value : 0,
  };
  const best = selectBest(scores, chunked);
  const [w, k] = [Math.floor(change.at / lagCount), change.at % lagCount];
  const found = {
    absolute: { lag: lagRows[level.at], slope: median(fits, (fit) => fit.level[level.at].slope) },
    step_delta: { lag: lagRows[k], slope: median(fits, (fit) => fit.change[w][k].slopeThroughZero) },
    chunk_relative: chunked
      ? { lag: 0, slope: -rebased.slope }
      : { lag: lagRows[start.at], slope: median(fits, (fit) => fit.since_start[start.at].slopeThroughZero) },
  }[best];
  return {
    scores,
    best,
    lag_rows: found.lag,
    gain: found.slope === 0 ? 0 : 1 / found.slope,
    span_rows: spanRows[w],
    chunk:
      best !== 'chunk_relative' ? null : chunked ? rebased : { rows: null, explained: start.value, slope: 1 },
    against_state,
    is_change: change.value > 0.9999 && spanRows[w] === 1,
  };
}

/**
 * Returns the best representation; explained jumps at chunk boundaries always win, since they cannot be
 * chance.
 */
function selectBest(scores: Readonly<Record<Representation, number>>, chunked: boolean): Representation {
  if (chunked) return 'chunk_relative';
  const { absolute, step_delta, chunk_relative } = scores;
  if (chunk_relative > Math.max(absolute, step_delta)) return 'chunk_relative';
  return step_delta > absolute ? 'step_delta' : 'absolute';
}

/**
 * Finds the chunk length whose boundaries explain the jumps. Among lengths that explain much, the steepest
 * slope wins: at a multiple of the true length the displacement exceeds the jump, at a fraction most
 * boundaries have no jump. `null` if there is none.
 */
function findChunk(fits: readonly ColumnFits[]): Chunk | null {
  const found: (Chunk & { readonly rows: number })[] = [];
  for (let c = 0; c < chunkLengths.length; c++) {
    const boundaries = fits[0].rebase[c].count;
    if (boundaries < minBoundaries || boundaries * fits.length < minJumps) break;
    const explained = mean(fits, (fit) => fit.rebase[c].opposedAboutZero);
    const rows = chunkLengths[c];
    const slope = median(fits, (fit) => fit.rebase[c].slopeThroughZero);
    if (explained < minRebaseExplained || -slope < computeMinSlope(fits, rows)) continue;
    if (mean(fits, (fit) => computeJumpShare(fit, c)) >= minJumpShare) found.push({ rows, explained, slope });
  }
  const maxExplained = Math.max(0, ...found.map(({ explained }) => explained));
  return found
    .filter(({ explained }) => explained >= 0.5 * maxExplained)
    .reduce<Chunk | null>((best, next) => (best === null || next.slope < best.slope ? next : best), null);
}

/**
 * Returns the fraction of all squared jumps that lies at the boundaries; 2/3 if there are no others, since a
 * jump affects its neighbours.
 */
function computeJumpShare({ rebase, jumps }: ColumnFits, c: number): number {
  return jumps.squaresOfY > 0 ? rebase[c].squaresOfY / jumps.squaresOfY : 0;
}

/**
 * Returns the minimum slope of a jump relative to the steps: chunk-relative actions with n rows step √n times
 * as far as the state, mostly in the jumps.
 */
function computeMinSlope(fits: readonly ColumnFits[], rows: number): number {
  const ratio = median(fits, ({ steps: { deviations } }) =>
    deviations[0] > 0 ? deviations[1] / deviations[0] : 0,
  );
  return (0.3 * ratio) / Math.sqrt(rows);
}

/** Maximum confidence: numbers alone are never certain. */
const maxConfidence = 0.98;

/**
 * Returns the product of three factors: how much the best representation explains (0 at 15 %, 1 at 60 %), its
 * lead over the next (0 if equal, 1 if the next explains 70 % of it or less), and the fraction of columns
 * that agree (0.5 to 1).
 */
function computeConfidence({ scores, best, chunk }: FitScores, agreeing: number): number {
  const rivals = Object.entries(scores).filter(([id]) => id !== best);
  // Explained jumps at boundaries have no rival; other representations only blur them.
  const next = chunk !== null && chunk.rows !== null ? 0 : Math.max(...rivals.map(([, score]) => score));
  const top = scores[best];
  const ahead = top > 0 ? (top - next) / top : 0;
  return maxConfidence * ramp(top, 0.6, 0.15) * ramp(ahead, 0.3, 0) * (0.5 + 0.5 * agreeing);
}

function findMaximum(
  count: number,
  value: (index: number) => number,
): { readonly at: number; readonly value: number } {
  let at = 0;
  let maximum = value(0);
  for (let i = 1; i < count; i++) {
    const now = value(i);
    if (now > maximum) {
      maximum = now;
      at = i;
    }
  }
  return { at, value: maximum };
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
