import { clamp, significant } from '#core';
import type { Episode, Finding, Stream } from '#core/episode';
import { comparisonTitles } from '#core/titles';
import type { Subject } from '../check.ts';
import { computeTextFacts } from '../checks/shared/instruction-text.ts';
import { defineComparison } from '../comparison.ts';
import { createTable, type Table } from '../features/numeric.ts';
import {
  describeLayout,
  formatEpisodeList,
  groupBy,
  selectComparedStreams,
} from './shared/comparison-rows.ts';
import { compareMeanings, haveCommonConcept } from './shared/instruction-meaning.ts';
import {
  computeCentreWithout,
  computeDistance,
  computeLargestDistance,
  computeWithinSpread,
  groupByMeaning,
  summarizeCommonTexts,
  type TextEpisodes,
  type TextGroup,
  type TextMismatch,
} from './shared/text-motions.ts';
import {
  computeEvenPlacements,
  computePlacements,
  createSeparation,
  findLikelyOther,
  type Placements,
  placeWithoutStrangers,
  type Separation,
} from './shared/text-placements.ts';

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
    'Groups instructions by the meaning of their words, so that paraphrases share a group, and computes the median motion of the episodes of each group (state at up to eight equally spaced times, path lengths, duration). Flags an episode that is clearly closer to the motion of another group than to its own and within the spread of the other one, if motion separates the two groups: at most a fifth of their episodes (or one) are closer to another group, and randomly assigned instructions would match the motions as well in at most 1 % of cases (5 % if the words ask for another action, place or direction). Also flags rare instructions whose motion matches a common instruction that asks for another motion or shares no words with them. Recordings that contain only part of an episode are ignored.',
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

/**
 * Ratio of the distance from the own text's motion to that from the other's: minimum, and value of full
 * confidence.
 */
const minDistanceRatio = 1.25;
const certainDistanceRatio = 1.8;
/** How many times larger the ratio of both distances must be if they are divided by the usual ones of their groups. */
const usualRatioFactor = 3;
/** Minimum distance in spreads from the own text's motion for a mismatch. */
const minDistance = 1.5;

/** Finds episodes whose text does not match their motion, by index. `rows` must share one layout. */
function findTextMismatches(rows: readonly TextMotion[]): Map<number, TextMismatch> {
  const found = new Map<number, TextMismatch>();
  const texts = groupByMeaning(rows.map(({ text }) => text));
  if (texts.length < 2) return found;
  const motions = createTable(rows.map(({ motion }) => motion));
  const groups = summarizeCommonTexts(motions, texts);
  if (groups.length === 0) return found;
  const first = groups.length > 1 ? computePlacements(motions, groups) : null;
  if (first === null) {
    addRareTexts(motions, texts, groups, () => false, found);
    return found;
  }
  const placements = placeWithoutStrangers(motions, first);
  const areToldApart = createSeparation(first, computeEvenPlacements(motions, groups));
  addSwappedTexts(placements, areToldApart, found);
  addRareTexts(motions, texts, placements.groups, areToldApart, found);
  return found;
}

/** Adds episodes that move as another common text's do. */
function addSwappedTexts(
  placements: Placements,
  areToldApart: Separation,
  found: Map<number, TextMismatch>,
): void {
  const { groups, distances, reach } = placements;
  groups.forEach(({ members, text, meaning }, group) => {
    members.forEach((index, m) => {
      const likely = findLikelyOther(placements, group, m);
      const [own, other] = [distances[group][m][group], distances[group][m][likely]];
      const ratio = computeDistanceRatio(placements, group, m, likely);
      if (ratio < minDistanceRatio || own < minDistance || other > reach[likely]) return;
      const { text: suggests, meaning: suggested } = groups[likely];
      if (!areToldApart(group, likely, compareMeanings(meaning, suggested))) return;
      const certainty = (ratio - minDistanceRatio) / (certainDistanceRatio - minDistanceRatio);
      found.set(index, {
        confidence: significant(clamp(0.5 + 0.5 * certainty, 0, 1)),
        rare: false,
        reason: `the motion is closer to that of "${suggests}" (${other.toFixed(1)} times its usual spread) than to that of its own instruction "${text}" (${own.toFixed(1)} times)`,
        suggests,
      });
    });
  });
}

/**
 * Computes how many times farther an episode is from its own text's motion than from the other's. Distances are capped
 * and a text of varied motions is far from each of its episodes, so both are also compared with the usual ones.
 */
function computeDistanceRatio(
  { distances, usual }: Placements,
  group: number,
  member: number,
  other: number,
): number {
  const own = distances[group][member][group];
  const others = Math.max(distances[group][member][other], 0.3);
  if (own < others) return own / others;
  return Math.max(own / others, own / usual[group] / (others / usual[other]) / usualRatioFactor);
}

/** Maximum number of episodes of a rare text. */
const maxRareEpisodes = 2;
/** Minimum number of episodes of the common text that a rare text is compared with. */
const minPeersOfRare = 4;
/** Fraction of a common text's episodes that are farther from its motion than a rare text's may be, at most. */
const innerShare = 0.9;

/** Adds rare texts whose motion is that of a common text, if they ask for another motion or share no word with it. */
function addRareTexts(
  motions: Table,
  texts: readonly TextEpisodes[],
  groups: readonly TextGroup[],
  areToldApart: Separation,
  found: Map<number, TextMismatch>,
): void {
  const lone = texts.filter(({ members }) => members.length <= maxRareEpisodes);
  const count = lone.reduce((sum, { members }) => sum + members.length, 0);
  if (count === 0 || count * 5 > motions.rows) return;
  const spread = computeWithinSpread(motions, groups);
  const even = new Float64Array(spread.length).fill(1);
  for (const { text, meaning, members } of lone) {
    for (const m of members) {
      const distances = groups.map(({ centre }) => computeDistance(motions, m, centre, spread, even));
      const g = distances.indexOf(Math.min(...distances));
      const { text: suggests, meaning: suggested, core } = groups[g];
      if (core.length < minPeersOfRare || found.has(m)) continue;
      const relation = compareMeanings(meaning, suggested);
      if (relation !== 'other_motion' && haveCommonConcept(meaning, suggested)) continue;
      const isOnlyHere = groups.some(
        (_, h) =>
          h !== g &&
          distances[h] >= certainDistanceRatio * distances[g] &&
          areToldApart(g, h, compareMeanings(suggested, groups[h].meaning)),
      );
      const extent = computeExtent(motions, groups[g], m, spread);
      if (!extent.isWithinFarthest) continue;
      found.set(m, {
        confidence: 0.8,
        rare: !(relation === 'other_motion' && isOnlyHere && extent.isInner),
        reason: `"${text}" occurs only once or twice, but the motion matches the ${core.length} episodes of "${suggests}"`,
        suggests,
      });
    }
  }
}

/** Position of an episode among those of a group that it does not belong to. */
interface Extent {
  /** Not farther from the group's motion than its farthest episode, with a margin of 10 %. */
  readonly isWithinFarthest: boolean;
  /** Within `innerShare` of the group's episodes, by all values together and by the value that differs most. */
  readonly isInner: boolean;
}

/** Computes the position of episode `index` among the group's episodes, by unweighted distances in spreads. */
function computeExtent(motions: Table, group: TextGroup, index: number, spread: Float64Array): Extent {
  const even = new Float64Array(spread.length).fill(1);
  const { core, centre } = group;
  const means: number[] = [];
  const largest: number[] = [];
  let farthest = 0;
  for (const m of core) {
    const without = computeCentreWithout(motions, group, m);
    means.push(computeDistance(motions, m, without, spread, even));
    largest.push(computeLargestDistance(motions, m, without, spread));
    farthest = Math.max(farthest, computeDistance(motions, m, centre, spread, even));
  }
  const inner = (values: number[]) => values.sort((a, b) => a - b)[Math.ceil(innerShare * values.length) - 1];
  const mean = computeDistance(motions, index, centre, spread, even);
  return {
    isWithinFarthest: mean <= 1.1 * farthest,
    isInner: mean <= inner(means) && computeLargestDistance(motions, index, centre, spread) <= inner(largest),
  };
}
