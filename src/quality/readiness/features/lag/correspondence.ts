import type { Stream } from '#core/episode';
import { columnsOf } from '../columns/columns.ts';
import { widestRange } from '../columns/dimension-leaps.ts';
import type { StreamFeatures } from '../stream-features.ts';
import type { CommandedPair } from './commanded.ts';

/** How the dimensions of a state answer those of an action with as many. */
export interface Correspondence {
  /** Correlation of each dimension of the state with its own of the action; 0 where one of them rests. */
  readonly correlation: readonly number[];
  /** Two dimensions of which each follows the other's command and not its own; null without such. */
  readonly exchanged: readonly [number, number] | null;
}

/** A joint that moves by less of the widest range rests: its tremor answers nothing. */
const leastRange = 0.05;
const fewestRows = 30;
const mostDimensions = 64;
/** A dimension that correlates less with its command, or lies further beside it in ranges, may follow another's. */
const doubtful = { correlation: 0.7, beside: 0.15 } as const;
const mostDoubtful = 8;
/** What is left of the scatter between state and action, or of their mean square, once two are exchanged. */
const left = { scatter: 0.25, square: 0.2 } as const;

/** Positions are compared row by row; a lag of a few rows changes little. Null where there is nothing to compare. */
export function correspondence(
  { action, state }: CommandedPair,
  ofAction: StreamFeatures,
  ofState: StreamFeatures,
  without: ReadonlySet<number>,
): Correspondence | null {
  const { dims, samples } = ofState;
  if (dims !== ofAction.dims || dims > mostDimensions) return null;
  if (samples < fewestRows || ofAction.samples < fewestRows) return null;
  if (ofState.non_finite + ofAction.non_finite > 0) return null;
  const widest = widestRange(ofState);
  const correlation: number[] = [];
  const doubted: number[] = [];
  for (let d = 0; d < dims; d++) {
    const answer = correlate(state, d, ofState, action, ofAction);
    correlation.push(rangeOf(ofState, d) > leastRange * widest ? answer : 0);
    const ranges = rangeOf(ofState, d) + rangeOf(ofAction, d);
    if (without.has(d) || !(rangeOf(ofState, d) > 0 && rangeOf(ofAction, d) > 0)) continue;
    const beside = (2 * Math.abs(ofState.mean[d] - ofAction.mean[d])) / ranges;
    if (answer < doubtful.correlation || beside > doubtful.beside) doubted.push(d);
  }
  const exchanged =
    doubted.length < 2 || doubted.length > mostDoubtful
      ? null
      : exchangedAmong(doubted, state, action, ofState);
  return { correlation, exchanged };
}

const rangeOf = ({ minimum, maximum }: StreamFeatures, d: number): number => maximum[d] - minimum[d];

function correlate(
  state: Stream,
  d: number,
  ofState: StreamFeatures,
  action: Stream,
  ofAction: StreamFeatures,
): number {
  const spread = ofState.std[d] * ofAction.std[d];
  if (!(spread > 0)) return 0;
  const [n, m] = [ofState.samples, ofAction.samples];
  const states = columnsOf(state.series!);
  const s = states.at(d);
  const actions = columnsOf(action.series!);
  const a = actions.at(d);
  const [x, y] = [states.buffer, actions.buffer];
  const [meanX, meanY] = [ofState.mean[d], ofAction.mean[d]];
  let sum = 0;
  if (n === m) for (let i = 0; i < n; i++) sum += (x[s + i] - meanX) * (y[a + i] - meanY);
  else {
    const pace = (m - 1) / (n - 1);
    for (let i = 0; i < n; i++) sum += (x[s + i] - meanX) * (y[a + Math.round(i * pace)] - meanY);
  }
  return sum / n / spread;
}

/** The pair that an exchange explains best. */
function exchangedAmong(
  doubted: readonly number[],
  state: Stream,
  action: Stream,
  ofState: StreamFeatures,
): [number, number] | null {
  let best: [number, number] | null = null;
  let least = 1;
  for (const [k, d] of doubted.entries()) {
    for (const e of doubted.slice(k + 1)) {
      const own = sumOf(apart(state, d, action, d, ofState), apart(state, e, action, e, ofState));
      const crossed = sumOf(apart(state, d, action, e, ofState), apart(state, e, action, d, ofState));
      const [scatter, square] = [crossed.scatter / own.scatter, crossed.square / own.square];
      if (!(scatter < left.scatter || (square < left.square && scatter < 1))) continue;
      if (square < least) {
        least = square;
        best = [d, e];
      }
    }
  }
  return best;
}

interface Apart {
  /** Mean square of state − action. */
  readonly square: number;
  /** The same about its mean. */
  readonly scatter: number;
}

const sumOf = (one: Apart, other: Apart): Apart => ({
  square: one.square + other.square,
  scatter: one.scatter + other.scatter,
});

function apart(
  state: Stream,
  d: number,
  action: Stream,
  e: number,
  { samples: n, dims }: StreamFeatures,
): Apart {
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
