import { clamp, significant } from '#core';
import type { Episode, Finding, Stream } from '#core/episode';
import { comparisonTitles } from '#core/titles';
import type { Subject } from '../check.ts';
import { computeTextFacts, splitWords } from '../checks/shared/instruction-text.ts';
import { defineComparison } from '../comparison.ts';
import { computeMedian, createTable, type Table } from '../features/numeric.ts';
import {
  describeLayout,
  formatEpisodeList,
  groupBy,
  selectComparedStreams,
} from './shared/comparison-rows.ts';
import {
  computeCentreWithout,
  computeDistance,
  computeWeights,
  computeWithinSpread,
  groupCommonTexts,
  type TextGroup,
  type TextMismatch,
} from './shared/text-motions.ts';

/**
 * Motion features per dimension: positions at equal steps of the episode's time and the path length; then the
 * duration.
 */
export type MotionRow = {
  readonly text: string;
  readonly layout: string;
  readonly motion: readonly number[];
};

/** Reader findings which show that the record contains only an unknown part of its episode. */
const partialRecordCodes: ReadonlySet<string> = new Set(['is_last_missing']);
const maxDimensions = 16;
const maxValues = 24;

export const wrongInstruction = defineComparison<MotionRow>({
  id: 'wrong_instruction',
  title: comparisonTitles.wrong_instruction,
  about:
    'Computes the median motion of the episodes of each instruction (state at up to eight equally spaced times, path lengths, duration). Flags an episode that is clearly closer to the motion of another instruction than to its own, if motion separates the two instructions at least 80 % of the time and the episode is within the spread of the other one; and rare instructions that share no words with the common instruction whose motion they match. Recordings that contain only part of an episode are ignored.',
  judged_by: ['language_quality'],
  collect(subject) {
    const text = joinTexts(subject.episode);
    if (text === null || subject.episode.findings.some(({ code }) => partialRecordCodes.has(code)))
      return null;
    const states = selectComparedStreams(subject, 'state');
    const streams = states.length > 0 ? states : selectComparedStreams(subject, 'action');
    if (streams.length === 0) return null;
    return { layout: describeLayout(streams), motion: summarizeMotion(streams, subject), text };
  },
  conclude(rows) {
    const notes = new Map<string, TextMismatch>();
    for (const group of groupBy(rows, (row) => row.layout).values()) {
      const found = findTextMismatches(group.map(({ row }) => row));
      for (const [i, note] of found) notes.set(group[i].episode, note);
    }
    const wrong = [...notes].filter(([, { rare }]) => !rare).map(([episode]) => episode);
    return { findings: wrong.length === 0 ? [] : [createFinding(wrong)], notes };
  },
});

/**
 * Joins the distinct texts of an episode, since a topic and a metadata record may both give one. `null` if
 * they are blank or placeholders, which name no motion.
 */
function joinTexts({ tasks }: Episode): string | null {
  if (tasks === null) return null;
  const texts = new Set(tasks.map((task) => task.text.trim()).filter((text) => text !== ''));
  const joined = [...texts].join(' | ');
  return joined === '' || computeTextFacts(joined).placeholder ? null : joined;
}

function summarizeMotion(streams: readonly Stream[], { features, episode }: Subject): number[] {
  let dims = 0;
  for (const stream of streams) dims += stream.series!.dims;
  const taken = Math.min(dims, maxDimensions);
  const times = Math.max(2, Math.min(8, Math.floor(maxValues / taken)));
  const motion: number[] = [];
  let remainingDims = taken;
  for (const stream of streams) {
    const { values, dims: streamDims } = stream.series!;
    const { columns, mean } = features.forStream(stream);
    const samples = Math.floor(values.length / streamDims);
    for (let d = 0; d < streamDims && remainingDims > 0; d++, remainingDims--) {
      for (let t = 0; t < times; t++) {
        const value = values[Math.round(((samples - 1) * t) / (times - 1)) * streamDims + d];
        motion.push(significant(value - value === 0 ? value : mean[d], 4));
      }
      motion.push(significant(columns.step_mean[d] * samples, 3));
    }
  }
  motion.push(significant(episode.duration_s, 4));
  return motion;
}

function createFinding(episodes: readonly string[]): Finding {
  return {
    code: 'instruction_mismatch',
    severity: 'warning',
    path: null,
    message: `the motion of ${episodes.length === 1 ? '1 episode matches' : `${episodes.length} episodes matches`} another instruction: ${formatEpisodeList(episodes)}`,
    advice: 'Watch the episodes and correct their instructions.',
    evidence: { episodes: episodes.slice(0, 50) },
  };
}

interface TextMotion {
  readonly text: string;
  readonly motion: readonly number[];
}

/** Minimum fraction of a text's episodes that lie nearest to its own motion, for the text to be separable. */
const minSeparableShare = 0.8;
/**
 * Ratio of the distance from the own text's motion to that from the other's: minimum, and value of full
 * confidence.
 */
const minDistanceRatio = 1.25;
const certainDistanceRatio = 1.8;
/** Maximum distance from the other text's motion, as a multiple of its farthest own episode. */
const reachFactor = 1.5;
/**
 * Distance in spreads within which an episode is always near a text, however similar the text's few episodes
 * are.
 */
const minReach = 2.5;
/** Minimum distance in spreads from the own text's motion for a mismatch. */
const minDistance = 1.5;

/** Finds episodes whose text does not match their motion, by index. `rows` must share one layout. */
function findTextMismatches(rows: readonly TextMotion[]): Map<number, TextMismatch> {
  const found = new Map<number, TextMismatch>();
  const byText = new Map<string, number[]>();
  rows.forEach(({ text }, i) => {
    const members = byText.get(text);
    if (members === undefined) byText.set(text, [i]);
    else members.push(i);
  });
  if (byText.size < 2) return found;
  const motions = createTable(rows.map(({ motion }) => motion));
  const groups = groupCommonTexts(motions, byText);
  if (groups.length === 0) return found;
  const spread = computeWithinSpread(motions, groups);
  if (groups.length > 1) addSwappedTexts(motions, groups, spread, found);
  addRareTexts(motions, byText, groups, spread, found);
  return found;
}

interface Placement {
  readonly index: number;
  readonly group: number;
  /** Distance from the motion of its own text, computed without this episode. */
  readonly ownDistance: number;
  /**
   * Index of the other text with the nearest motion, relative to that text's own spread, and the distance
   * from it.
   */
  readonly nearest: number;
  readonly otherDistance: number;
  /**
   * `true` if the episode is nearer to its own text's motion, absolutely or relative to each text's spread.
   */
  readonly isNearOwnText: boolean;
}

function addSwappedTexts(
  motions: Table,
  groups: readonly TextGroup[],
  spread: Float64Array,
  found: Map<number, TextMismatch>,
): void {
  const weights = computeWeights(groups, spread);
  if (weights.every((weight) => weight === 0)) return;
  const ownDistances = groups.map(({ members, centre }) =>
    members.map((m) =>
      computeDistance(motions, m, computeCentreWithout(motions, members, centre, m), spread, weights),
    ),
  );
  // Distance within which a text's own episodes lie, plus a margin.
  const reach = ownDistances.map((away) => Math.max(minReach, reachFactor * Math.max(...away)));
  const usual = ownDistances.map((away) => Math.max(1, computeMedian(away)));
  const placements = groups.flatMap(({ members }, group) =>
    members.map((index, m): Placement => {
      const distancesToOthers = groups.map(({ centre }, g) =>
        g === group ? Infinity : computeDistance(motions, index, centre, spread, weights),
      );
      const relativeDistances = distancesToOthers.map((value, g) => value / usual[g]);
      const nearest = relativeDistances.indexOf(Math.min(...relativeDistances));
      const athome =
        ownDistances[group][m] <=
        Math.max(distancesToOthers[nearest], usual[group] * relativeDistances[nearest]);
      return {
        index,
        group,
        ownDistance: ownDistances[group][m],
        nearest,
        otherDistance: distancesToOthers[nearest],
        isNearOwnText: athome,
      };
    }),
  );
  const strangers = groups.map(() => 0);
  for (const { group, isNearOwnText: athome } of placements) if (!athome) strangers[group]++;
  const isSeparable = groups.map(
    ({ members }, g) => strangers[g] <= Math.max(1, (1 - minSeparableShare) * members.length),
  );
  for (const { index, group, nearest, ownDistance: own, otherDistance: other } of placements) {
    if (!isSeparable[group] || !isSeparable[nearest] || own < minDistanceRatio * other || own < minDistance)
      continue;
    if (other > reach[nearest]) continue;
    const confidence = significant(
      clamp(
        0.5 +
          (0.5 * (own / Math.max(other, 0.3) - minDistanceRatio)) / (certainDistanceRatio - minDistanceRatio),
        0,
        1,
      ),
    );
    const suggests = groups[nearest].text;
    found.set(index, {
      confidence,
      rare: false,
      reason: `the motion matches "${suggests}" (distance ${other.toFixed(1)} spreads) rather than "${groups[group].text}" (${own.toFixed(1)})`,
      suggests,
    });
  }
}

/** Maximum number of episodes of a rare text, and minimum number of the common text it is compared with. */
const maxRareEpisodes = 2;
const minPeersOfRare = 6;

/** Adds rare texts whose motion is that of a common text with which they share no word. */
function addRareTexts(
  motions: Table,
  byText: ReadonlyMap<string, readonly number[]>,
  groups: readonly TextGroup[],
  spread: Float64Array,
  found: Map<number, TextMismatch>,
): void {
  const lone = [...byText].filter(([, members]) => members.length <= maxRareEpisodes);
  const count = lone.reduce((sum, [, members]) => sum + members.length, 0);
  if (count === 0 || count * 5 > motions.rows) return;
  const even = new Float64Array(spread.length).fill(1);
  const reach = groups.map(({ members, centre }) => {
    let farthestMember = 0;
    for (const m of members)
      farthestMember = Math.max(farthestMember, computeDistance(motions, m, centre, spread, even));
    return 1.1 * farthestMember;
  });
  for (const [text, members] of lone) {
    for (const m of members) {
      const g = findNearestGroup(motions, m, groups, spread, even);
      const memberDistance = computeDistance(motions, m, groups[g].centre, spread, even);
      const { text: suggests, members: peers } = groups[g];
      if (memberDistance > reach[g] || peers.length < minPeersOfRare || haveCommonWord(text, suggests))
        continue;
      found.set(m, {
        confidence: 0.8,
        rare: true,
        reason: `"${text}" occurs only once or twice, but the motion matches the ${peers.length} episodes of "${suggests}"`,
        suggests,
      });
    }
  }
}

function findNearestGroup(
  motions: Table,
  row: number,
  groups: readonly TextGroup[],
  spread: Float64Array,
  weights: Float64Array,
) {
  let best = 0;
  let nearestDistance = Infinity;
  for (let g = 0; g < groups.length; g++) {
    const groupDistance = computeDistance(motions, row, groups[g].centre, spread, weights);
    if (groupDistance < nearestDistance) {
      nearestDistance = groupDistance;
      best = g;
    }
  }
  return best;
}

const fillerWords = new Set(
  'a an the to of in on into onto at it its from with and then up down your my please robot arm'.split(' '),
);

function haveCommonWord(one: string, other: string): boolean {
  const words = new Set(splitWords(one).filter((word) => !fillerWords.has(word)));
  return splitWords(other).some((word) => words.has(word));
}
