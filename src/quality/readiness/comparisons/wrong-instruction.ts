import { clamp, significant } from '#core';
import type { Episode, Finding, Stream } from '#core/episode';
import type { Subject } from '../check.ts';
import { comparedStreams, groupBy, layoutOf, someOf } from '../comparing/compared-signals.ts';
import { medianOf, type Table, tableOf } from '../comparing/robust.ts';
import { defineComparison } from '../comparison.ts';
import { textFacts, wordsOf } from '../language/instruction-text.ts';
import {
  centreWithout,
  commonGroups,
  distance,
  type ForeignText,
  type Group,
  telling,
  withinSpread,
} from '../language/text-motions.ts';

/** The motion at equal steps of the episode's own time, dimension by dimension; then path lengths and duration. */
export type MotionRow = {
  readonly text: string;
  readonly layout: string;
  readonly motion: readonly number[];
};

/** A reader's findings that say the record holds only a part of its episode: which part of the task, nobody knows. */
const ofParts: ReadonlySet<string> = new Set(['is_last_missing']);
const mostDimensions = 16;
const mostNumbers = 24;

export const wrongInstruction = defineComparison<MotionRow>({
  id: 'wrong_instruction',
  title: 'Text that does not fit the motion',
  about:
    'Each text’s episodes have a median motion (state at up to eight equal steps of time, path lengths, duration). An episode that lies clearly nearer to another text’s motion than to its own, where these two texts are told apart by motion at least 80 % of the time, and within reach of that other text’s own episodes, or a rare text that shares no word with the common text whose motion it follows, is noted. Records that hold only a part of an episode are left out.',
  judged_by: ['language_quality'],
  collect(subject) {
    const text = textOf(subject.episode);
    if (text === null || subject.episode.findings.some(({ code }) => ofParts.has(code))) return null;
    const states = comparedStreams(subject, 'state');
    const streams = states.length > 0 ? states : comparedStreams(subject, 'action');
    if (streams.length === 0) return null;
    return { layout: layoutOf(streams), motion: motionOf(streams, subject), text };
  },
  conclude(rows) {
    const notes = new Map<string, ForeignText>();
    for (const group of groupBy(rows, (row) => row.layout).values()) {
      const found = findForeignTexts(group.map(({ row }) => row));
      for (const [i, note] of found) notes.set(group[i].episode, note);
    }
    const wrong = [...notes].filter(([, { rare }]) => !rare).map(([episode]) => episode);
    return { findings: wrong.length === 0 ? [] : [findingOf(wrong)], notes };
  },
});

/**
 * What the episode is called: its distinct texts together, since one may be told twice, by a topic and by a metadata
 * record. Blank texts and placeholders name no motion.
 */
function textOf({ tasks }: Episode): string | null {
  if (tasks === null) return null;
  const texts = new Set(tasks.map((task) => task.text.trim()).filter((text) => text !== ''));
  const said = [...texts].join(' | ');
  return said === '' || textFacts(said).placeholder ? null : said;
}

function motionOf(streams: readonly Stream[], { features, episode }: Subject): number[] {
  let dims = 0;
  for (const stream of streams) dims += stream.series!.dims;
  const taken = Math.min(dims, mostDimensions);
  const times = Math.max(2, Math.min(8, Math.floor(mostNumbers / taken)));
  const motion: number[] = [];
  let left = taken;
  for (const stream of streams) {
    const { values, dims: own } = stream.series!;
    const { columns, mean } = features.of(stream);
    const samples = Math.floor(values.length / own);
    for (let d = 0; d < own && left > 0; d++, left--) {
      for (let t = 0; t < times; t++) {
        const value = values[Math.round(((samples - 1) * t) / (times - 1)) * own + d];
        motion.push(significant(value - value === 0 ? value : mean[d], 4));
      }
      motion.push(significant(columns.step_mean[d] * samples, 3));
    }
  }
  motion.push(significant(episode.duration_s, 4));
  return motion;
}

function findingOf(episodes: readonly string[]): Finding {
  return {
    code: 'instruction_mismatch',
    severity: 'warning',
    path: null,
    message: `${episodes.length === 1 ? '1 episode moves' : `${episodes.length} episodes move`} as another text’s episodes do: ${someOf(episodes)}`,
    advice: 'Watch them and correct their texts.',
    evidence: { episodes: episodes.slice(0, 50) },
  };
}

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
function findForeignTexts(rows: readonly Told[]): Map<number, ForeignText> {
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

/** A text of so many episodes is rare, beside one of so many. */
const rarest = 2;
const peersOfRare = 6;

/** A text of one or two episodes whose motion is that of a common text with which it shares no word. */
function addRareTexts(
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
