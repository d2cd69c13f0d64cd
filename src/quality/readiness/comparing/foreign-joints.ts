import { columnOf, medianOf, spreadOf, type Table, tableOf } from './robust.ts';

interface Jointed {
  readonly text: string;
  readonly answers: readonly number[];
  readonly exchanged: readonly number[];
  readonly places: readonly number[];
}

export interface JointFault {
  readonly fault: 'flipped' | 'exchanged';
  readonly dimensions: readonly number[];
  /** `one`: state and action contradict each other. `both`: they agree, and not with the other episodes. */
  readonly where: 'one' | 'both';
  /** How clear it is: a correlation, or how many times farther its joints lie as they are. */
  readonly certain: number;
}

const fewest = 4;
const fewestOfText = 6;
const against = 0.5;
/** Numbers a dimension in `places`: its values at five times. */
const facts = 5;
/** In spreads of the other episodes: farther is foreign, nearer is home; and how many times nearer home must be. */
const foreign = 5;
const home = 2.5;
const nearer = 3;
const farthest = 20;
/** Spread that is always granted, as a share of the joint's usual range; and the joints that are looked at. */
const leastSpread = 0.03;
const leastRange = 0.1;
/** A joint may go beyond where it went in the other episodes by this share of it. */
const beyond = 0.4;

/** Episodes with joints flipped or exchanged, by position. `rows` are of one layout. */
export function foreignJoints(rows: readonly Jointed[]): Map<number, JointFault> {
  const found = new Map<number, JointFault>();
  if (rows.length < fewest) return found;
  addContradictions(rows, found);
  const byText = new Map<string, number[]>();
  rows.forEach(({ text, places }, i) => {
    if (places.length === 0) return;
    const members = byText.get(text);
    if (members === undefined) byText.set(text, [i]);
    else members.push(i);
  });
  for (const members of byText.values())
    if (members.length >= fewestOfText) addStrangers(rows, members, found);
  const placed = [...rows.keys()].filter((i) => rows[i].places.length > 0);
  if (placed.length >= fewestOfText) addStartedElsewhere(rows, placed, found);
  return found;
}

/** State against action, where the other episodes have them together. */
function addContradictions(rows: readonly Jointed[], found: Map<number, JointFault>): void {
  const answering = rows.filter(({ answers }) => answers.length > 0);
  if (answering.length < fewest) return;
  const table = tableOf(answering.map(({ answers }) => answers));
  const usual = answering[0].answers.map((_, d) => medianOf(columnOf(table, d)));
  const exchanges = answering.filter(({ exchanged }) => exchanged.length > 0).length;
  rows.forEach(({ answers, exchanged }, i) => {
    if (exchanged.length > 0 && exchanges * 3 <= answering.length) {
      found.set(i, { certain: 1, dimensions: exchanged, fault: 'exchanged', where: 'one' });
      return;
    }
    let worst = -1;
    answers.forEach((r, d) => {
      if (r < -against && usual[d] > against && (worst < 0 || r < answers[worst])) worst = d;
    });
    if (worst >= 0)
      found.set(i, { certain: -answers[worst], dimensions: [worst], fault: 'flipped', where: 'one' });
  });
}

interface Usual {
  readonly middle: Float64Array;
  readonly spread: Float64Array;
  /** Dimensions that move. */
  readonly moving: readonly number[];
}

function usualOf(table: Table): Usual {
  const middle = new Float64Array(table.width);
  const spread = new Float64Array(table.width);
  const dims = table.width / facts;
  for (let f = 0; f < table.width; f++) {
    const column = columnOf(table, f);
    middle[f] = medianOf(column);
    spread[f] = spreadOf(column, middle[f]);
  }
  const ranges = Array.from({ length: dims }, (_, d) => {
    const way = middle.subarray(d * facts, (d + 1) * facts);
    return Math.max(...way) - Math.min(...way);
  });
  const widest = [...ranges].sort((a, b) => b - a);
  const least = leastRange * (widest[1] ?? widest[0]);
  for (let f = 0; f < table.width; f++)
    spread[f] = Math.max(spread[f], leastSpread * ranges[Math.floor(f / facts)], 1e-9);
  return { middle, spread, moving: [...ranges.keys()].filter((d) => ranges[d] > least && ranges[d] > 0) };
}

/** Joints that lie where the group’s do once flipped or exchanged, and not as they are. */
function addStrangers(
  rows: readonly Jointed[],
  members: readonly number[],
  found: Map<number, JointFault>,
): void {
  const usual = usualOf(tableOf(members.map((i) => rows[i].places)));
  for (const i of members) {
    if (found.has(i)) continue;
    const { places } = rows[i];
    const faults = [flipped(places, usual), exchanged(places, usual)].filter((fault) => fault !== null);
    faults.sort((a, b) => b.certain - a.certain);
    if (faults.length > 0) found.set(i, faults[0]);
  }
}

/** Mean distance of dimension `d`'s places from where dimension `e` usually lies, in spreads. */
function distance(places: readonly number[], d: number, e: number, usual: Usual, sign: 1 | -1 = 1): number {
  let sum = 0;
  for (let f = 0; f < facts; f++) {
    const own = sign * places[d * facts + f];
    const at = e * facts + f;
    sum += Math.min(farthest, Math.abs(own - usual.middle[at]) / usual.spread[at]);
  }
  return sum / facts;
}

function flipped(places: readonly number[], usual: Usual): JointFault | null {
  for (const d of usual.moving) {
    const own = distance(places, d, d, usual);
    if (own < foreign) continue;
    const other = distance(places, d, d, usual, -1);
    if (other < home && own > nearer * other)
      return { certain: own / Math.max(other, 0.1), dimensions: [d], fault: 'flipped', where: 'both' };
  }
  return null;
}

/**
 * Whatever the text, all begin where the robot rests: two joints that each begin where the other does, and go where the
 * other goes in all episodes and they themselves in none.
 */
function addStartedElsewhere(
  rows: readonly Jointed[],
  members: readonly number[],
  found: Map<number, JointFault>,
): void {
  const usual = usualOf(tableOf(members.map((i) => rows[i].places)));
  const begins = (places: readonly number[], d: number, e: number) =>
    Math.abs(places[d * facts] - usual.middle[e * facts]) / usual.spread[e * facts];
  for (const i of members) {
    const { places } = rows[i];
    const strangers = found.has(i) ? [] : usual.moving.filter((d) => begins(places, d, d) > foreign);
    for (const [k, d] of strangers.entries()) {
      const e = strangers.slice(k + 1).find((other) => {
        const begun = Math.max(begins(places, d, other), begins(places, other, d));
        return begun < home && goesAs(rows, members, i, d, other) && goesAs(rows, members, i, other, d);
      });
      if (e === undefined) continue;
      found.set(i, { certain: begins(places, d, d), dimensions: [d, e], fault: 'exchanged', where: 'both' });
      break;
    }
  }
}

/** Whether joint d of episode i keeps to where joint e of the others goes, and hardly comes to where its own does. */
function goesAs(
  rows: readonly Jointed[],
  members: readonly number[],
  i: number,
  d: number,
  e: number,
): boolean {
  const within = (joint: number) => {
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (const other of members) {
      if (other === i) continue;
      for (let f = joint * facts; f < (joint + 1) * facts; f++) {
        least = Math.min(least, rows[other].places[f]);
        most = Math.max(most, rows[other].places[f]);
      }
    }
    const margin = beyond * (most - least);
    const own = rows[i].places.slice(d * facts, (d + 1) * facts);
    return own.filter((place) => place >= least - margin && place <= most + margin).length;
  };
  return within(e) === facts && within(d) <= 2;
}

function exchanged(places: readonly number[], usual: Usual): JointFault | null {
  const strangers = usual.moving.filter((d) => distance(places, d, d, usual) > foreign);
  for (const [k, d] of strangers.entries()) {
    for (const e of strangers.slice(k + 1)) {
      const own = Math.min(distance(places, d, d, usual), distance(places, e, e, usual));
      const other = Math.max(distance(places, d, e, usual), distance(places, e, d, usual));
      if (other < home && own > nearer * other)
        return { certain: own / Math.max(other, 0.1), dimensions: [d, e], fault: 'exchanged', where: 'both' };
    }
  }
  return null;
}
