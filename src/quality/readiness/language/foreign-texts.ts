import { clamp, significant } from '#core';
import { medianOf, type Table, tableOf } from '../comparing/robust.ts';
import { addRareTexts } from './rare-texts.ts';
import {
  centreWithout,
  commonGroups,
  distance,
  type ForeignText,
  type Group,
  telling,
  withinSpread,
} from './text-motions.ts';

interface Told {
  readonly text: string;
  readonly motion: readonly number[];
}

/** Two texts are told apart by motion when this share of their episodes lies nearest to its own. */
const separable = 0.8;
/** How much farther from its own text's motion than from the other's an episode must lie, in spreads. */
const clear = 1.25;
const certain = 1.8;
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
  addRareTexts(motions, byText, groups, spread, found);
  return found;
}

interface Placed {
  readonly index: number;
  readonly group: number;
  /** Distance from the motion of its own text, as the other episodes show it. */
  readonly own: number;
  /** The other text whose motion is nearest, beside how far that text's own episodes lie from it. */
  readonly nearest: number;
  readonly other: number;
  /** Nearer to its own text's motion, in spreads or beside how far each text's episodes lie from it. */
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
      const athome = own[group][m] <= Math.max(away[nearest], usual[group] * beside[nearest]);
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
