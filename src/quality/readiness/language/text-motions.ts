import { medianOf, type Table } from '../comparing/robust.ts';

/** A text that is not that of the motion. */
export type ForeignText = {
  /** 0..1; above one half the text is taken for wrong. */
  readonly confidence: number;
  /** The text whose motion it follows. */
  readonly suggests: string;
  readonly reason: string;
  /** The text stands once or twice: unusual, and as likely another wording as a wrong one. */
  readonly rare: boolean;
};

/** Episodes of one text, and the middle of their motions. */
export interface Group {
  readonly text: string;
  readonly members: readonly number[];
  readonly centre: Float64Array;
}

/** Fewer episodes of a text do not show how it is done; two show it when they are alike. */
const fewest = 2;
const mostGroups = 64;
/** A group of so many has a middle that follows each of its members. */
const small = 12;
/** Spreads that a difference counts for at most. */
const farthest = 8;

export function commonGroups(motions: Table, byText: ReadonlyMap<string, readonly number[]>): Group[] {
  return [...byText]
    .filter(([, members]) => members.length >= fewest)
    .sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1))
    .slice(0, mostGroups)
    .map(([text, members]) => ({ text, members, centre: centreOf(motions, members) }));
}

function centreOf(motions: Table, members: readonly number[]): Float64Array {
  const centre = new Float64Array(motions.width);
  const column = new Float64Array(members.length);
  for (let f = 0; f < centre.length; f++) {
    takeColumn(motions, f, members, column, 0);
    centre[f] = medianOf(column);
  }
  return centre;
}

/** Number `f` of the members, from `at` on. */
function takeColumn(
  { values, width }: Table,
  f: number,
  members: readonly number[],
  column: Float64Array,
  at: number,
): void {
  for (let m = 0; m < members.length; m++) column[at + m] = values[members[m] * width + f];
}

/** Robust spread of every number inside the texts' own groups. */
export function withinSpread(motions: Table, groups: readonly Group[]): Float64Array {
  const count = groups.reduce((sum, { members }) => sum + members.length, 0);
  const spread = new Float64Array(motions.width);
  const deviations = new Float64Array(count);
  for (let f = 0; f < spread.length; f++) {
    let at = 0;
    let size = 0;
    for (const group of groups) {
      takeColumn(motions, f, group.members, deviations, at);
      const column = deviations.subarray(at, at + group.members.length);
      column.set(deviationsOf(column, group.centre[f]));
      at += column.length;
      size = Math.max(size, Math.abs(group.centre[f]));
    }
    spread[f] = Math.max(1.4826 * medianOf(deviations), 1e-3 * size, 1e-9);
  }
  return spread;
}

/** Distances from the middle; in a small group, whose middle follows each member, from the middle of the others. */
function deviationsOf(values: Float64Array, middle: number): Float64Array {
  if (values.length > small) return values.map((value) => Math.abs(value - middle));
  return values.map((value, i) => Math.abs(value - medianOf(values.filter((_, other) => other !== i))));
}

/** How much each number tells the texts apart: variance of their centres over the spread within, less what chance gives. */
export function telling(groups: readonly Group[], spread: Float64Array): Float64Array {
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

/** Weighted root mean square of the differences in spreads, each at most `farthest`. */
export function distance(
  { values, width }: Table,
  row: number,
  centre: Float64Array,
  spread: Float64Array,
  weights: Float64Array,
): number {
  let sum = 0;
  let total = 0;
  for (let f = 0, at = row * width; f < width; f++, at++) {
    const z = Math.min(Math.abs(values[at] - centre[f]) / spread[f], farthest);
    sum += weights[f] * z * z;
    total += weights[f];
  }
  return total === 0 ? 0 : Math.sqrt(sum / total);
}

/** A small group's median follows each of its members; without this one it cannot hide in its own centre. */
export function centreWithout(
  motions: Table,
  members: readonly number[],
  centre: Float64Array,
  index: number,
): Float64Array {
  if (members.length > small) return centre;
  return centreOf(
    motions,
    members.filter((m) => m !== index),
  );
}
