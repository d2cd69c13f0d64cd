import { computeMedian, type Table } from '../../features/numeric.ts';
import { type Meaning, readMeaning } from './instruction-meaning.ts';

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

/** Episodes whose texts have one meaning. */
export interface TextEpisodes {
  /** The commonest wording. */
  readonly text: string;
  readonly meaning: Meaning;
  readonly members: readonly number[];
}

/** Episodes of one meaning and the median of their motions. */
export interface TextGroup extends TextEpisodes {
  /** Members that the median is computed from: all, or those that lie nearest to it. */
  readonly core: readonly number[];
  readonly centre: Float64Array;
}

/** Minimum number of episodes that show the motion of a text. */
const minEpisodesPerText = 2;
const maxGroups = 64;
/** Maximum size of a small group, whose median follows each of its members. */
const smallGroupSize = 12;
/** Cap on a single difference, in spreads. */
const maxSpreads = 8;

/** Groups episodes by the meaning of their texts, so that paraphrases share a group; largest group first. */
export function groupByMeaning(texts: readonly string[]): TextEpisodes[] {
  const byKey = new Map<string, Map<string, number[]>>();
  texts.forEach((text, i) => {
    const { key } = readMeaning(text);
    const wordings = byKey.get(key) ?? new Map<string, number[]>();
    byKey.set(key, wordings);
    const members = wordings.get(text);
    if (members === undefined) wordings.set(text, [i]);
    else members.push(i);
  });
  return [...byKey.values()].map(describeGroup).sort(compareGroups);
}

function describeGroup(wordings: ReadonlyMap<string, readonly number[]>): TextEpisodes {
  const [[text]] = [...wordings].sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1));
  const members = [...wordings.values()].flat().sort((a, b) => a - b);
  return { text, meaning: readMeaning(text), members };
}

const compareGroups = (a: TextEpisodes, b: TextEpisodes): number =>
  b.members.length - a.members.length || (a.text < b.text ? -1 : 1);

/**
 * Returns the groups of at least `minEpisodesPerText` episodes, the first `maxGroups` in this order, with the median
 * motion of each.
 */
export function summarizeCommonTexts(motions: Table, texts: readonly TextEpisodes[]): TextGroup[] {
  return texts
    .filter(({ members }) => members.length >= minEpisodesPerText)
    .slice(0, maxGroups)
    .map((group) => withCore(motions, group, group.members));
}

/** Returns a copy of a group whose motion is the median of `core`, some of its members. */
export function withCore(motions: Table, group: TextEpisodes, core: readonly number[]): TextGroup {
  return { ...group, core, centre: computeCentre(motions, core) };
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

/**
 * Computes, for every value of a motion, its spread within the text groups: 1.4826 times the median deviation from
 * the group's median, never 0.
 */
export function computeWithinSpread(motions: Table, groups: readonly TextGroup[]): Float64Array {
  const count = groups.reduce((sum, { core }) => sum + core.length, 0);
  const spread = new Float64Array(motions.width);
  const deviations = new Float64Array(count);
  for (let f = 0; f < spread.length; f++) {
    let at = 0;
    let size = 0;
    for (const group of groups) {
      copyColumn(motions, f, group.core, deviations, at);
      const column = deviations.subarray(at, at + group.core.length);
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
 * Computes how well each value separates the texts, 0 to 25: variance of the group medians in units of the spread,
 * minus the variance expected by chance. Needs two groups.
 */
export function computeWeights(groups: readonly TextGroup[], spread: Float64Array): Float64Array {
  const weights = new Float64Array(spread.length);
  const chance = groups.reduce((sum, { core }) => sum + 1.6 / core.length, 0) / groups.length;
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

/**
 * Returns the distance of a row from a centre: the weighted root mean square of the differences in spreads, each
 * capped at `maxSpreads`; 0 if all weights are 0.
 */
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

/** Returns the largest difference of a row from a centre, in spreads, capped at `maxSpreads`. */
export function computeLargestDistance(
  { values, width }: Table,
  row: number,
  centre: Float64Array,
  spread: Float64Array,
): number {
  let largest = 0;
  for (let f = 0, at = row * width; f < width; f++, at++)
    largest = Math.max(largest, Math.abs(values[at] - centre[f]) / spread[f]);
  return Math.min(largest, maxSpreads);
}

/**
 * Returns the median motion of a group without the member `index`; for larger groups, whose median hardly depends on
 * one member, that of the group itself.
 */
export function computeCentreWithout(
  motions: Table,
  { core, centre }: TextGroup,
  index: number,
): Float64Array {
  if (core.length > smallGroupSize || !core.includes(index)) return centre;
  return computeCentre(
    motions,
    core.filter((m) => m !== index),
  );
}
