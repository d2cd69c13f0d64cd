import type { Table } from '../comparing/robust.ts';
import { wordsOf } from './instruction-text.ts';
import { distance, type ForeignText, type Group } from './text-motions.ts';

/** A text of so many episodes is rare, beside one of so many. */
const rarest = 2;
const peersOfRare = 6;

/** A text of one or two episodes whose motion is that of a common text with which it shares no word. */
export function addRareTexts(
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
