import { computeMedian, type Table } from '../../features/numeric.ts';

/** A text that does not match the motion of its episode. */
export type TextMismatch = {
  /** Confidence 0..1; above 0.5 the text counts as wrong. */
  readonly confidence: number;
  /** Text whose motion the episode follows. */
  readonly suggests: string;
  readonly reason: string;
  /** `true` if the text occurs once or twice: unusual, and possibly just another wording. */
  readonly rare: boolean;
};

/** Episodes of one text and the median of their motions. */
export interface TextGroup {
  readonly text: string;
  readonly members: readonly number[];
  readonly centre: Float64Array;
}

/** Minimum number of episodes that show the motion of a text. */
const minEpisodesPerText = 2;
const maxGroups = 64;
/** Maximum size of a small group, whose median follows each of its members. */
const smallGroupSize = 12;
/** Cap on a single difference, in spreads. */
const maxSpreads = 8;

/**
 * Groups the episodes of texts with at least `minEpisodesPerText` episodes, largest first, at most
 * `maxGroups` texts.
 */
export function groupCommonTexts(
  motions: Table,
  byText: ReadonlyMap<string, readonly number[]>,
): TextGroup[] {
  return [...byText]
    .filter(([, members]) => members.length >= minEpisodesPerText)
    .sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1))
    .slice(0, maxGroups)
    .map(([text, members]) => ({ text, members, centre: computeCentre(motions, members) }));
}

function computeCentre(motions: Table, members: readonly number[]): Float64Array {
  const centre = new Float64Array(motions.width);
  const column = new Float64Array(members.length);
  for (let f = 0; f < centre.length; f++) {
    copyColumn(motions, f, members, column, 0);
    centre[f] = computeMedian(column);
  }
  return centre;
}

/** Copies value `f` of the members into `column`, starting at `at`. */
function copyColumn(
  { values, width }: Table,
  f: number,
  members: readonly number[],
  column: Float64Array,
  at: number,
): void {
  for (let m = 0; m < members.length; m++) column[at + m] = values[members[m] * width + f];
}

/** Computes the robust spread of every value within the text groups. */
export function computeWithinSpread(motions: Table, groups: readonly TextGroup[]): Float64Array {
  const count = groups.reduce((sum, { members }) => sum + members.length, 0);
  const spread = new Float64Array(motions.width);
  const deviations = new Float64Array(count);
  for (let f = 0; f < spread.length; f++) {
    let at = 0;
    let size = 0;
    for (const group of groups) {
      copyColumn(motions, f, group.members, deviations, at);
      const column = deviations.subarray(at, at + group.members.length);
      column.set(computeDeviations(column, group.centre[f]));
      at += column.length;
      size = Math.max(size, Math.abs(group.centre[f]));
    }
    spread[f] = Math.max(1.4826 * computeMedian(deviations), 1e-3 * size, 1e-9);
  }
  return spread;
}

/**
 * Returns distances from the median; in a small group, whose median follows each member, from the median of
 * the others.
 */
function computeDeviations(values: Float64Array, middle: number): Float64Array {
  if (values.length > smallGroupSize) return values.map((value) => Math.abs(value - middle));
  return values.map((value, i) => Math.abs(value - computeMedian(values.filter((_, other) => other !== i))));
}

/**
 * Computes how well each value separates the texts: variance of their centres in units of the spread, less
 * what chance gives; capped at 25.
 */
export function computeWeights(groups: readonly TextGroup[], spread: Float64Array): Float64Array {
  const weights = new Float64Array(spread.length);
  const chance = groups.reduce((sum, { members }) => sum + 1.6 / members.length, 0) / groups.length;
  for (let f = 0; f < weights.length; f++) {
    let sum = 0;
    let squares = 0;
    for (const { centre } of groups) {
      const c = centre[f] / spread[f];
      sum += c;
      squares += c * c;
    }
    const variance = Math.max(0, squares - (sum * sum) / groups.length) / (groups.length - 1);
    weights[f] = Math.min(Math.max(0, variance - chance), 25);
  }
  return weights;
}

/** Returns the weighted root mean square of the differences in spreads, each capped at `maxSpreads`. */
export function computeDistance(
  { values, width }: Table,
  row: number,
  centre: Float64Array,
  spread: Float64Array,
  weights: Float64Array,
): number {
  let sum = 0;
  let total = 0;
  for (let f = 0, at = row * width; f < width; f++, at++) {
    const z = Math.min(Math.abs(values[at] - centre[f]) / spread[f], maxSpreads);
    sum += weights[f] * z * z;
    total += weights[f];
  }
  return total === 0 ? 0 : Math.sqrt(sum / total);
}

/**
 * Returns the centre of a group without one member; for larger groups, whose centre hardly depends on it, the
 * centre itself.
 */
export function computeCentreWithout(
  motions: Table,
  members: readonly number[],
  centre: Float64Array,
  index: number,
): Float64Array {
  if (members.length > smallGroupSize) return centre;
  return computeCentre(
    motions,
    members.filter((m) => m !== index),
  );
}
