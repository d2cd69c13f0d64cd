import {
  computeMedian,
  computeSpread,
  createTable,
  extractColumn,
  type Table,
} from '../../features/numeric.ts';

interface JointSample {
  readonly text: string;
  readonly answers: readonly number[];
  readonly exchanged: readonly number[];
  readonly places: readonly number[];
}

export interface JointFault {
  readonly fault: 'flipped' | 'exchanged';
  readonly dimensions: readonly number[];
  /**
   * `one`: state and action contradict each other. `both`: they agree with each other, but not with the other
   * episodes.
   */
  readonly where: 'one' | 'both';
  /**
   * Strength of the evidence: a correlation, or how many times farther the joints lie from their own typical
   * values than from the assigned ones.
   */
  readonly certain: number;
}

const minEpisodes = 4;
const minEpisodesOfText = 6;
const minCorrelation = 0.5;
/** Values per dimension in `places`: the joint's position at five times. */
const valuesPerDimension = 5;
/**
 * Distances in robust spreads of the other episodes: a joint farther than `minForeignSpreads` does not fit
 * its own dimension; one nearer than `maxHomeSpreads` fits the other one, if it is also `minDistanceRatio`
 * times nearer there.
 */
const minForeignSpreads = 5;
const maxHomeSpreads = 2.5;
const minDistanceRatio = 3;
const maxSpreads = 20;
/**
 * Lower bounds: spread as a fraction of the joint's typical range in an episode; range as a fraction of the
 * second-widest joint's, below which a joint is ignored.
 */
const minSpreadFraction = 0.03;
const minRangeFraction = 0.1;
/** Tolerance around the range of a joint in the other episodes, as a fraction of that range. */
const rangeMarginFraction = 0.4;

/**
 * Finds episodes with flipped or exchanged joints, by index into `rows`, which share one layout; empty with fewer
 * than `minEpisodes` rows.
 */
export function findJointFaults(rows: readonly JointSample[]): Map<number, JointFault> {
  const found = new Map<number, JointFault>();
  if (rows.length < minEpisodes) return found;
  addContradictions(rows, found);
  const byText = new Map<string, number[]>();
  rows.forEach(({ text, places }, i) => {
    if (places.length === 0) return;
    const members = byText.get(text);
    if (members === undefined) byText.set(text, [i]);
    else members.push(i);
  });
  for (const members of byText.values())
    if (members.length >= minEpisodesOfText) addDisplacedJoints(rows, members, found);
  const positioned = [...rows.keys()].filter((i) => rows[i].places.length > 0);
  if (positioned.length >= minEpisodesOfText) addExchangedStarts(rows, positioned, found);
  return found;
}

/** Adds faults where state and action contradict each other, unlike in the other episodes. */
function addContradictions(rows: readonly JointSample[], found: Map<number, JointFault>): void {
  const answering = rows.filter(({ answers }) => answers.length > 0);
  if (answering.length < minEpisodes) return;
  const table = createTable(answering.map(({ answers }) => answers));
  const usual = answering[0].answers.map((_, d) => computeMedian(extractColumn(table, d)));
  const exchanges = answering.filter(({ exchanged }) => exchanged.length > 0).length;
  rows.forEach(({ answers, exchanged }, i) => {
    if (exchanged.length > 0 && exchanges * 3 <= answering.length) {
      found.set(i, { certain: 1, dimensions: exchanged, fault: 'exchanged', where: 'one' });
      return;
    }
    let worst = -1;
    answers.forEach((r, d) => {
      if (r < -minCorrelation && usual[d] > minCorrelation && (worst < 0 || r < answers[worst])) worst = d;
    });
    if (worst >= 0)
      found.set(i, { certain: -answers[worst], dimensions: [worst], fault: 'flipped', where: 'one' });
  });
}

interface TypicalMotion {
  readonly middle: Float64Array;
  readonly spread: Float64Array;
  /** Indices of the dimensions that move. */
  readonly moving: readonly number[];
}

function computeTypicalMotion(table: Table): TypicalMotion {
  const middle = new Float64Array(table.width);
  const spread = new Float64Array(table.width);
  const dims = table.width / valuesPerDimension;
  for (let f = 0; f < table.width; f++) {
    const column = extractColumn(table, f);
    middle[f] = computeMedian(column);
    spread[f] = computeSpread(column, middle[f]);
  }
  // Not the range of the median path: a joint that moves up in one task and down in another would seem to rest.
  const ranges = Array.from({ length: dims }, (_, d) => computeMedian(rangesOf(table, d)));
  const widest = [...ranges].sort((a, b) => b - a);
  const minRange = minRangeFraction * (widest[1] ?? widest[0]);
  for (let f = 0; f < table.width; f++)
    spread[f] = Math.max(spread[f], minSpreadFraction * ranges[Math.floor(f / valuesPerDimension)], 1e-9);
  return { middle, spread, moving: [...ranges.keys()].filter((d) => ranges[d] > minRange && ranges[d] > 0) };
}

/** Returns the range of a dimension's positions in each episode. */
function rangesOf(table: Table, d: number): Float64Array {
  return Float64Array.from({ length: table.rows }, (_, i) => {
    const first = i * table.width + d * valuesPerDimension;
    const path = table.values.subarray(first, first + valuesPerDimension);
    return Math.max(...path) - Math.min(...path);
  });
}

/** Adds joints that match the group's typical positions only once flipped or exchanged. */
function addDisplacedJoints(
  rows: readonly JointSample[],
  members: readonly number[],
  found: Map<number, JointFault>,
): void {
  const usual = computeTypicalMotion(createTable(members.map((i) => rows[i].places)));
  for (const i of members) {
    if (found.has(i)) continue;
    const { places } = rows[i];
    const faults = [findFlipped(places, usual), findExchanged(places, usual)].filter(
      (fault) => fault !== null,
    );
    faults.sort((a, b) => b.certain - a.certain);
    if (faults.length > 0) found.set(i, faults[0]);
  }
}

/**
 * Computes the mean distance of dimension `d`'s positions from the typical ones of dimension `e`, in spreads;
 * each is capped at `maxSpreads`.
 */
function computeDistance(
  places: readonly number[],
  d: number,
  e: number,
  usual: TypicalMotion,
  sign: 1 | -1 = 1,
): number {
  let sum = 0;
  for (let f = 0; f < valuesPerDimension; f++) {
    const position = sign * places[d * valuesPerDimension + f];
    const at = e * valuesPerDimension + f;
    sum += Math.min(maxSpreads, Math.abs(position - usual.middle[at]) / usual.spread[at]);
  }
  return sum / valuesPerDimension;
}

function findFlipped(places: readonly number[], usual: TypicalMotion): JointFault | null {
  for (const d of usual.moving) {
    const ownDistance = computeDistance(places, d, d, usual);
    if (ownDistance < minForeignSpreads) continue;
    const other = computeDistance(places, d, d, usual, -1);
    if (other < maxHomeSpreads && ownDistance > minDistanceRatio * other)
      return {
        certain: ownDistance / Math.max(other, 0.1),
        dimensions: [d],
        fault: 'flipped',
        where: 'both',
      };
  }
  return null;
}

/**
 * Adds pairs of joints that each start at the other's typical start (the robot's rest pose, whatever the
 * text) and stay in the range of the other, but not in their own.
 */
function addExchangedStarts(
  rows: readonly JointSample[],
  members: readonly number[],
  found: Map<number, JointFault>,
): void {
  const usual = computeTypicalMotion(createTable(members.map((i) => rows[i].places)));
  const begins = (places: readonly number[], d: number, e: number) =>
    Math.abs(places[d * valuesPerDimension] - usual.middle[e * valuesPerDimension]) /
    usual.spread[e * valuesPerDimension];
  for (const i of members) {
    const { places } = rows[i];
    const strangers = found.has(i)
      ? []
      : usual.moving.filter((d) => begins(places, d, d) > minForeignSpreads);
    for (const [k, d] of strangers.entries()) {
      const e = strangers.slice(k + 1).find((other) => {
        const begun = Math.max(begins(places, d, other), begins(places, other, d));
        return (
          begun < maxHomeSpreads &&
          staysInRangeOf(rows, members, i, d, other) &&
          staysInRangeOf(rows, members, i, other, d)
        );
      });
      if (e === undefined) continue;
      found.set(i, { certain: begins(places, d, d), dimensions: [d, e], fault: 'exchanged', where: 'both' });
      break;
    }
  }
}

/**
 * Returns `true` if joint `d` of episode `i` stays within the range of joint `e` in the other episodes and
 * hardly enters its own.
 */
function staysInRangeOf(
  rows: readonly JointSample[],
  members: readonly number[],
  i: number,
  d: number,
  e: number,
): boolean {
  const within = (joint: number) => {
    let lowest = Number.POSITIVE_INFINITY;
    let highest = Number.NEGATIVE_INFINITY;
    for (const other of members) {
      if (other === i) continue;
      for (let f = joint * valuesPerDimension; f < (joint + 1) * valuesPerDimension; f++) {
        lowest = Math.min(lowest, rows[other].places[f]);
        highest = Math.max(highest, rows[other].places[f]);
      }
    }
    const margin = rangeMarginFraction * (highest - lowest);
    const ownPositions = rows[i].places.slice(d * valuesPerDimension, (d + 1) * valuesPerDimension);
    return ownPositions.filter((place) => place >= lowest - margin && place <= highest + margin).length;
  };
  return within(e) === valuesPerDimension && within(d) <= 2;
}

function findExchanged(places: readonly number[], usual: TypicalMotion): JointFault | null {
  const strangers = usual.moving.filter((d) => computeDistance(places, d, d, usual) > minForeignSpreads);
  for (const [k, d] of strangers.entries()) {
    for (const e of strangers.slice(k + 1)) {
      const ownPairDistance = Math.min(
        computeDistance(places, d, d, usual),
        computeDistance(places, e, e, usual),
      );
      const other = Math.max(computeDistance(places, d, e, usual), computeDistance(places, e, d, usual));
      if (other < maxHomeSpreads && ownPairDistance > minDistanceRatio * other)
        return {
          certain: ownPairDistance / Math.max(other, 0.1),
          dimensions: [d, e],
          fault: 'exchanged',
          where: 'both',
        };
    }
  }
  return null;
}
