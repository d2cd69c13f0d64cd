import type { Episode, Stream } from '#core/episode';
import { getColumns } from './columns.ts';
import { computeWidestRange } from './dimension-leaps.ts';
import type { StreamFeatures } from './stream-features.ts';

/** Relation of the dimensions of a state to those of an equally wide action. */
export interface Correspondence {
  /** Correlation of each state dimension with the same dimension of the action; 0 if one of them rests. */
  readonly correlation: readonly number[];
  /** Two dimensions that each follow the other's command instead of their own; `null` if there are none. */
  readonly exchanged: readonly [number, number] | null;
}

/** Minimum range of a joint as a fraction of the widest; a smaller motion is tremor. */
const minRangeFraction = 0.05;
const minRows = 30;
const maxDimensions = 64;
/**
 * A dimension is a candidate for an exchange if it correlates less than this with its command, or is offset
 * from it by more than this fraction of its range.
 */
const doubtLimits = { correlation: 0.7, beside: 0.15 } as const;
const maxDoubtful = 8;
/** Maximum ratio, after the exchange to before, of the variance or of the mean square of state − action. */
const residualLimits = { scatter: 0.25, square: 0.2 } as const;

/**
 * Correlates each state dimension with the action dimension of the same index, and finds an exchanged pair; `null` if
 * dimensions differ, or rows are too few or not finite. Rows are compared one by one, since a lag of a few rows
 * changes little. Dimensions in `excluded` are never exchanged.
 */
export function measureCorrespondence(
  { action, state }: CommandPair,
  actionFeatures: StreamFeatures,
  stateFeatures: StreamFeatures,
  excluded: ReadonlySet<number>,
): Correspondence | null {
  const { dims, samples } = stateFeatures;
  if (dims !== actionFeatures.dims || dims > maxDimensions) return null;
  if (samples < minRows || actionFeatures.samples < minRows) return null;
  if (stateFeatures.non_finite + actionFeatures.non_finite > 0) return null;
  const widest = computeWidestRange(stateFeatures);
  const correlation: number[] = [];
  const doubted: number[] = [];
  for (let d = 0; d < dims; d++) {
    const answer = correlateDimension(state, d, stateFeatures, action, actionFeatures);
    correlation.push(dimensionRange(stateFeatures, d) > minRangeFraction * widest ? answer : 0);
    const ranges = dimensionRange(stateFeatures, d) + dimensionRange(actionFeatures, d);
    if (excluded.has(d) || !(dimensionRange(stateFeatures, d) > 0 && dimensionRange(actionFeatures, d) > 0))
      continue;
    const offsetShare = (2 * Math.abs(stateFeatures.mean[d] - actionFeatures.mean[d])) / ranges;
    if (answer < doubtLimits.correlation || offsetShare > doubtLimits.beside) doubted.push(d);
  }
  const exchanged =
    doubted.length < 2 || doubted.length > maxDoubtful
      ? null
      : findExchangedPair(doubted, state, action, stateFeatures);
  return { correlation, exchanged };
}

const dimensionRange = ({ minimum, maximum }: StreamFeatures, d: number): number => maximum[d] - minimum[d];

function correlateDimension(
  state: Stream,
  d: number,
  stateFeatures: StreamFeatures,
  action: Stream,
  actionFeatures: StreamFeatures,
): number {
  const spread = stateFeatures.std[d] * actionFeatures.std[d];
  if (!(spread > 0)) return 0;
  const [n, m] = [stateFeatures.samples, actionFeatures.samples];
  const states = getColumns(state.series!);
  const s = states.at(d);
  const actions = getColumns(action.series!);
  const a = actions.at(d);
  const [x, y] = [states.buffer, actions.buffer];
  const [meanX, meanY] = [stateFeatures.mean[d], actionFeatures.mean[d]];
  let sum = 0;
  if (n === m) for (let i = 0; i < n; i++) sum += (x[s + i] - meanX) * (y[a + i] - meanY);
  else {
    const pace = (m - 1) / (n - 1);
    for (let i = 0; i < n; i++) sum += (x[s + i] - meanX) * (y[a + Math.round(i * pace)] - meanY);
  }
  return sum / n / spread;
}

/** Returns the pair of dimensions that an exchange explains best; `null` if none. */
function findExchangedPair(
  doubted: readonly number[],
  state: Stream,
  action: Stream,
  stateFeatures: StreamFeatures,
): [number, number] | null {
  let best: [number, number] | null = null;
  let minSquareRatio = 1;
  for (const [k, d] of doubted.entries()) {
    for (const e of doubted.slice(k + 1)) {
      const ownDifference = addDifferences(
        measureDifference(state, d, action, d, stateFeatures),
        measureDifference(state, e, action, e, stateFeatures),
      );
      const crossed = addDifferences(
        measureDifference(state, d, action, e, stateFeatures),
        measureDifference(state, e, action, d, stateFeatures),
      );
      const [scatter, square] = [
        crossed.scatter / ownDifference.scatter,
        crossed.square / ownDifference.square,
      ];
      if (!(scatter < residualLimits.scatter || (square < residualLimits.square && scatter < 1))) continue;
      if (square < minSquareRatio) {
        minSquareRatio = square;
        best = [d, e];
      }
    }
  }
  return best;
}

interface DifferenceStats {
  /** Mean square of state − action. */
  readonly square: number;
  /** Variance of state − action. */
  readonly scatter: number;
}

const addDifferences = (one: DifferenceStats, other: DifferenceStats): DifferenceStats => ({
  square: one.square + other.square,
  scatter: one.scatter + other.scatter,
});

function measureDifference(
  state: Stream,
  d: number,
  action: Stream,
  e: number,
  { samples: n, dims }: StreamFeatures,
): DifferenceStats {
  const { values: x } = state.series!;
  const { values: y } = action.series!;
  const pace = (action.sample_count - 1) / (n - 1);
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < n; i++) {
    const difference = x[i * dims + d] - y[Math.round(i * pace) * dims + e];
    sum += difference;
    squares += difference * difference;
  }
  return { square: squares / n, scatter: squares / n - (sum / n) ** 2 };
}

/** An action stream and the state stream that follows it. */
export interface CommandPair {
  readonly action: Stream;
  readonly state: Stream;
  /** `true` if row i of one was written with row i of the other: equal counts and timestamps. */
  readonly same_rows: boolean;
}

/**
 * Returns the action and state stream that belong together: equal dimensions (and names) first, else the widest of
 * each; `null` without either, event-driven actions not counted.
 */
export function findCommandPair(episode: Episode): CommandPair | null {
  let best: CommandPair | null = null;
  let bestRank = -1;
  for (const action of episode.streams) {
    if (action.role !== 'action' || action.series === undefined) continue;
    // Event-driven commands apply until the next one, so their rows do not correspond to rows of the state.
    if (action.event_driven !== undefined) continue;
    for (const state of episode.streams) {
      if (state.role !== 'state' || state.series === undefined) continue;
      const rank = rankPair(action, state);
      if (rank <= bestRank) continue;
      bestRank = rank;
      best = { action, state, same_rows: haveSameRows(action, state) };
    }
  }
  return best;
}

function rankPair(action: Stream, state: Stream): number {
  const dims = Math.min(1e5, Math.min(action.series!.dims, state.series!.dims));
  const equal = action.series!.dims === state.series!.dims;
  return dims + (equal ? 1e6 : 0) + (equal && haveSameNames(action, state) ? 1e6 : 0);
}

function haveSameNames({ names: a }: Stream, { names: b }: Stream): boolean {
  return a !== null && b !== null && a.length === b.length && a.every((name, i) => name === b[i]);
}

function haveSameRows(a: Stream, b: Stream): boolean {
  if (a.sample_count !== b.sample_count) return false;
  if (a.clock === null || b.clock === null) return a.clock === b.clock;
  const times = a.clocks[a.clock.index].time_s;
  const others = b.clocks[b.clock.index].time_s;
  if (times === others) return true;
  if (times.length !== others.length) return false;
  for (let i = 0; i < times.length; i++) if (times[i] !== others[i]) return false;
  return true;
}
