import type { RowWindow, Signals } from './signals.ts';

/** Lags in rows at which the state is compared with its command. */
export const lagRows = [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32] as const;
/**
 * Numbers of rows over which changes are summed: sensor noise hides the change of one row, but not that of
 * sixteen.
 */
export const spanRows = [1, 2, 4, 8, 16] as const;
/** Chunk lengths that are tested, in rows. */
export const chunkLengths: readonly number[] = Array.from({ length: 199 }, (_, i) => i + 2);

/**
 * Regression sums between an action column and a state column, over episodes. `lagRows` and `spanRows` give
 * the indices their meaning.
 */
export interface ColumnFits {
  /** Action against the state `lagRows[k]` rows later. */
  readonly level: readonly PairSums[];
  /** Action against the state `lagRows[k]` rows later minus the episode's first state. */
  readonly since_start: readonly PairSums[];
  /**
   * Sum of `spanRows[w]` actions against the state's change over as many rows, `lagRows[k]` rows later:
   * [w][k].
   */
  readonly change: readonly (readonly PairSums[])[];
  /**
   * For each chunk length: jump of the action at chunk boundaries, beyond the surrounding steps, against the
   * state's displacement since the previous boundary; slope −1 if actions are relative to the chunk's first
   * state.
   */
  readonly rebase: readonly PairSums[];
  /**
   * Bends of the action against bends of the state: actions relative to the measured state contain its noise
   * with opposite sign.
   */
  readonly bends: PairSums;
  /** Jump of the action at every row, beyond the surrounding steps. */
  readonly jumps: PairSums;
  /** Row-to-row steps of state and action. */
  readonly steps: PairSums;
}

const createSums = (count: number): PairSums[] => Array.from({ length: count }, () => new PairSums());

/** Creates regression sums without any rows, for one pair of action and state column. */
export function createFits(): ColumnFits {
  return {
    level: createSums(lagRows.length),
    since_start: createSums(lagRows.length),
    change: spanRows.map(() => createSums(lagRows.length)),
    rebase: createSums(chunkLengths.length),
    bends: new PairSums(),
    jumps: new PairSums(),
    steps: new PairSums(),
  };
}

/** Adds one episode's rows of action column `action` and state column `state` to the sums, in place. */
export function addToFits(fits: ColumnFits, signals: Signals, action: number, state: number): void {
  const [a, s] = [signals.action[action], signals.state[state]];
  const since = s.map((value) => value - signals.origin[state]);
  const total = prefixSums(a);
  for (const window of signals.windows) {
    const length = window.to - window.from;
    for (let k = 0; k < lagRows.length; k++) {
      const count = length - lagRows[k];
      if (count < lagRows[k]) break;
      fits.level[k].addRun(s, window.from + lagRows[k], a, window.from, count);
      fits.since_start[k].addRun(since, window.from + lagRows[k], a, window.from, count);
      for (let w = 0; w < spanRows.length; w++) {
        const back = spanRows[w];
        // total[i] is the sum of the actions before row i.
        const at = window.from + back;
        fits.change[w][k].addRun(s, at + lagRows[k], total, at, count - back, back);
      }
    }
    addChunkJumps(fits.rebase, a, s, window);
    fits.steps.addRun(s, window.from + 1, a, window.from + 1, length - 1, 1);
    for (let t = window.from + 2; t + 1 < window.to; t++) fits.jumps.add(0, computeJump(a, t));
    for (let t = window.from + 1; t + 1 < window.to; t++)
      fits.bends.add(s[t + 1] - 2 * s[t] + s[t - 1], a[t + 1] - 2 * a[t] + a[t - 1]);
  }
}

function prefixSums(values: Float64Array): Float64Array {
  const out = new Float64Array(values.length + 1);
  for (let i = 0; i < values.length; i++) out[i + 1] = out[i] + values[i];
  return out;
}

/** Minimum number of chunks in a window for testing a chunk length. */
const minChunks = 3;

function addChunkJumps(
  rebase: readonly PairSums[],
  a: Float64Array,
  s: Float64Array,
  { from, to, first_row }: RowWindow,
): void {
  for (let c = 0; c < chunkLengths.length; c++) {
    const length = chunkLengths[c];
    if ((to - from) / length < minChunks) break;
    // Chunks begin at multiples of their length, counted from the episode's first row.
    const begin = from + ((length - (first_row % length)) % length);
    for (let t = begin + length; t + 1 < to; t += length)
      rebase[c].add(s[t] - s[t - length], computeJump(a, t));
  }
}

function computeJump(a: Float64Array, t: number): number {
  return a[t] - a[t - 1] - (a[t - 1] - a[t - 2] + a[t + 1] - a[t]) / 2;
}

/** Adds the sums of another episode to `into`, in place. */
export function mergeFits(into: ColumnFits, other: ColumnFits): void {
  const all = ({ level, since_start, change, rebase, bends, jumps, steps }: ColumnFits): PairSums[] => [
    ...level,
    ...since_start,
    ...change.flat(),
    ...rebase,
    bends,
    jumps,
    steps,
  ];
  const others = all(other);
  all(into).forEach((sum, index) => {
    sum.merge(others[index]);
  });
}

/** Sums over pairs (x, y) for linear regression. Sums of several episodes can be merged. */
export class PairSums {
  #n = 0;
  #x = 0;
  #y = 0;
  #xx = 0;
  #yy = 0;
  #xy = 0;

  /**
   * Adds the pairs (x[xAt + i] − x[xAt + i − back], y[yAt + i] − y[yAt + i − back]) for i below `count`; with
   * `back` 0, the values themselves.
   */
  addRun(x: Float64Array, xAt: number, y: Float64Array, yAt: number, count: number, back = 0): void {
    let [sx, sy, sxx, syy, sxy] = [0, 0, 0, 0, 0];
    for (let i = 0; i < count; i++) {
      const a = back === 0 ? x[xAt + i] : x[xAt + i] - x[xAt + i - back];
      const b = back === 0 ? y[yAt + i] : y[yAt + i] - y[yAt + i - back];
      sx += a;
      sy += b;
      sxx += a * a;
      syy += b * b;
      sxy += a * b;
    }
    this.#n += Math.max(0, count);
    this.#x += sx;
    this.#y += sy;
    this.#xx += sxx;
    this.#yy += syy;
    this.#xy += sxy;
  }

  /** Adds one pair. */
  add(x: number, y: number): void {
    this.#n++;
    this.#x += x;
    this.#y += y;
    this.#xx += x * x;
    this.#yy += y * y;
    this.#xy += x * y;
  }

  /** Adds the sums of another instance. */
  merge(other: PairSums): void {
    this.#n += other.#n;
    this.#x += other.#x;
    this.#y += other.#y;
    this.#xx += other.#xx;
    this.#yy += other.#yy;
    this.#xy += other.#xy;
  }

  /** Number of pairs. */
  get count(): number {
    return this.#n;
  }

  /** Fraction of y's variance that the best rising line in x explains (r²); 0 if the line falls. */
  get explained(): number {
    const [varianceX, varianceY, covarianceXY] = [this.#xVariance, this.#yVariance, this.#covariance];
    return covarianceXY > 0 && varianceX > 0 && varianceY > 0
      ? Math.min(1, (covarianceXY * covarianceXY) / (varianceX * varianceY))
      : 0;
  }

  /** Slope of the best line; 0 if x does not vary. */
  get slope(): number {
    return this.#xVariance > 0 ? this.#covariance / this.#xVariance : 0;
  }

  /** Intercept of the best line. */
  get intercept(): number {
    return this.#n === 0 ? 0 : (this.#y - this.slope * this.#x) / this.#n;
  }

  /**
   * Fraction of y's variance that y = slope · x explains, for a positive slope; 0 otherwise. A change has no
   * offset.
   */
  get explainedThroughZero(): number {
    const slope = this.slopeThroughZero;
    const all = this.#yVariance;
    if (!(slope > 0 && all > 0)) return 0;
    return Math.max(0, Math.min(1, 1 - (this.#yy - slope * this.#xy) / all));
  }

  /** Slope of the best line through zero; 0 if x is always 0. */
  get slopeThroughZero(): number {
    return this.#xx > 0 ? this.#xy / this.#xx : 0;
  }

  /** r² of x and y about zero if they are negatively related; else 0. */
  get opposedAboutZero(): number {
    const product = this.#xx * this.#yy;
    return product > 0 && this.#xy < 0 ? Math.min(1, (this.#xy * this.#xy) / product) : 0;
  }

  /** Sum of y². */
  get squaresOfY(): number {
    return this.#yy;
  }

  /** Standard deviations of x and y. */
  get deviations(): readonly [x: number, y: number] {
    const of = (sum: number): number => (this.#n === 0 ? 0 : Math.sqrt(Math.max(0, sum / this.#n)));
    return [of(this.#xVariance), of(this.#yVariance)];
  }

  get #xVariance(): number {
    return this.#n === 0 ? 0 : this.#xx - (this.#x * this.#x) / this.#n;
  }

  get #yVariance(): number {
    return this.#n === 0 ? 0 : this.#yy - (this.#y * this.#y) / this.#n;
  }

  get #covariance(): number {
    return this.#n === 0 ? 0 : this.#xy - (this.#x * this.#y) / this.#n;
  }
}
