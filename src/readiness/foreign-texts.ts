import { clamp, significant } from '#kernel';
import { wordsOf } from './instruction-text.ts';
import { medianOf, type Table, tableOf } from './robust.ts';

interface Told {
  readonly text: string;
  readonly motion: readonly number[];
}

export type ForeignText = {
  /** 0..1; above one half the text is taken for wrong. */
  readonly confidence: number;
  /** The text whose motion it follows. */
  readonly suggests: string;
  readonly reason: string;
  /** The text stands once or twice: unusual, and as likely another wording as a wrong one. */
  readonly rare: boolean;
};

/** Episodes of one text. */
interface Group {
  readonly text: string;
  readonly members: readonly number[];
  readonly centre: Float64Array;
}

/** Fewer episodes of a text do not show how it is done; two show it when they are alike. */
const fewest = 2;
/** A group of so many has a middle that follows each of its members. */
const small = 12;
const mostGroups = 64;
/** A text of so many episodes is rare, beside one of so many. */
const rarest = 2;
const peersOfRare = 6;
/** Two texts are told apart by motion when this share of their episodes lies nearest to its own. */
const separable = 0.8;
/** How much farther from its own text's motion than from the other's an episode must lie, in spreads. */
const clear = 1.25;
const certain = 1.8;
const farthest = 8;
/** An episode of a text lies at most this many times as far from its motion as its farthest episode. */
const slack = 1.5;
/** So many spreads away an episode is near, however alike a few episodes of a text are. */
const near = 2.5;
/** So many spreads from its own text's motion an episode is at home there. */
const leastAway = 1.5;

/** Episodes whose text is not that of their motion, by index. `rows` are of one layout. */
export function findForeignTexts(rows: readonly Told[]): Map<number, ForeignText> {
  const found = new Map<number, ForeignText>();
  const byText = new Map<string, number[]>();
  rows.forEach(({ text }, i) => {
    const members = byText.get(text);
    if (members === undefined) byText.set(text, [i]);
    else members.push(i);
  });
  if (byText.size < 2) return found;
  const motions = tableOf(rows.map(({ motion }) => motion));
  const groups = commonGroups(motions, byText);
  if (groups.length === 0) return found;
  const spread = withinSpread(motions, groups);
  if (groups.length > 1) swapped(motions, groups, spread, found);
  rare(motions, byText, groups, spread, found);
  return found;
}

function commonGroups(motions: Table, byText: ReadonlyMap<string, readonly number[]>): Group[] {
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
function withinSpread(motions: Table, groups: readonly Group[]): Float64Array {
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
function telling(groups: readonly Group[], spread: Float64Array): Float64Array {
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
function distance(
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

interface Placed {
  readonly index: number;
  readonly group: number;
  /** Distance from the motion of its own text, as the other episodes show it. */
  readonly own: number;
  /** The other text whose motion is nearest, beside how far that text's own episodes lie from it. */
  readonly nearest: number;
  readonly other: number;
  readonly athome: boolean;
}

function swapped(
  motions: Table,
  groups: readonly Group[],
  spread: Float64Array,
  found: Map<number, ForeignText>,
): void {
  const weights = telling(groups, spread);
  if (weights.every((weight) => weight === 0)) return;
  const own = groups.map(({ members, centre }) =>
    members.map((m) => distance(motions, m, centreWithout(motions, members, centre, m), spread, weights)),
  );
  // Where the episodes of a text themselves lie, and a little beyond.
  const reach = own.map((away) => Math.max(near, slack * Math.max(...away)));
  const usual = own.map((away) => Math.max(1, medianOf(away)));
  const placed = groups.flatMap(({ members }, group) =>
    members.map((index, m): Placed => {
      const away = groups.map(({ centre }, g) =>
        g === group ? Infinity : distance(motions, index, centre, spread, weights),
      );
      const beside = away.map((value, g) => value / usual[g]);
      const nearest = beside.indexOf(Math.min(...beside));
      const athome = own[group][m] / usual[group] <= beside[nearest];
      return { index, group, own: own[group][m], nearest, other: away[nearest], athome };
    }),
  );
  const strangers = groups.map(() => 0);
  for (const { group, athome } of placed) if (!athome) strangers[group]++;
  const told = groups.map(({ members }, g) => strangers[g] <= Math.max(1, (1 - separable) * members.length));
  for (const { index, group, nearest, own, other } of placed) {
    if (!told[group] || !told[nearest] || own < clear * other || own < leastAway) continue;
    if (other > reach[nearest]) continue;
    const confidence = significant(
      clamp(0.5 + (0.5 * (own / Math.max(other, 0.3) - clear)) / (certain - clear), 0, 1),
    );
    const suggests = groups[nearest].text;
    found.set(index, {
      confidence,
      rare: false,
      reason: `moves as "${suggests}" does (${other.toFixed(1)} spreads away), unlike "${groups[group].text}" (${own.toFixed(1)})`,
      suggests,
    });
  }
}

/** A small group's median follows each of its members; without this one it cannot hide in its own centre. */
function centreWithout(
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

/** A text of one or two episodes whose motion is that of a common text with which it shares no word. */
function rare(
  motions: Table,
  byText: ReadonlyMap<string, readonly number[]>,
  groups: readonly Group[],
  spread: Float64Array,
  found: Map<number, ForeignText>,
): void {
  const lone = [...byText].filter(([, members]) => members.length <= rarest);
  const count = lone.reduce((sum, [, members]) => sum + members.length, 0);
  if (count === 0 || count * 5 > motions.rows) return;
  const even = new Float64Array(spread.length).fill(1);
  const reach = groups.map(({ members, centre }) => {
    let farthestMember = 0;
    for (const m of members)
      farthestMember = Math.max(farthestMember, distance(motions, m, centre, spread, even));
    return 1.1 * farthestMember;
  });
  for (const [text, members] of lone) {
    for (const m of members) {
      const g = nearestOf(motions, m, groups, spread, even);
      const away = distance(motions, m, groups[g].centre, spread, even);
      const { text: suggests, members: peers } = groups[g];
      if (away > reach[g] || peers.length < peersOfRare || shareWord(text, suggests)) continue;
      found.set(m, {
        confidence: 0.8,
        rare: true,
        reason: `"${text}" stands once or twice, while the motion is that of the ${peers.length} episodes of "${suggests}"`,
        suggests,
      });
    }
  }
}

function nearestOf(
  motions: Table,
  row: number,
  groups: readonly Group[],
  spread: Float64Array,
  weights: Float64Array,
) {
  let best = 0;
  let least = Infinity;
  for (let g = 0; g < groups.length; g++) {
    const away = distance(motions, row, groups[g].centre, spread, weights);
    if (away < least) {
      least = away;
      best = g;
    }
  }
  return best;
}

const fillers = new Set(
  'a an the to of in on into onto at it its from with and then up down your my please robot arm'.split(' '),
);

function shareWord(one: string, other: string): boolean {
  const words = new Set(wordsOf(one).filter((word) => !fillers.has(word)));
  return wordsOf(other).some((word) => words.has(word));
}
