import { seededRandom } from '#core';
import { computeMedian, type Table } from '../../features/numeric.ts';
import type { MeaningRelation } from './instruction-meaning.ts';
import {
  computeCentreWithout,
  computeDistance,
  computeWeights,
  computeWithinSpread,
  type TextGroup,
  withCore,
} from './text-motions.ts';

/** Distances of all episodes from the motions of all groups. */
export interface Placements {
  readonly groups: readonly TextGroup[];
  /** `distances[group][member][other]` in spreads; from the own group's motion computed without the member. */
  readonly distances: readonly (readonly (readonly number[])[])[];
  /** Median distance of each group's episodes from its motion, at least one spread. */
  readonly usual: readonly number[];
  /** Distance from each group's motion within which its own episodes lie, with a margin. */
  readonly reach: readonly number[];
}

/** Maximum fraction of a text's episodes that lie nearer to another text, for the two to differ by motion. */
const maxStrangerShare = 0.2;
/** Margin of a group's reach, as a multiple of its farthest own episode. */
const reachFactor = 1.5;
/**
 * Minimum reach in spreads, however similar a group's episodes are; `perEpisode` is divided by their number, since two
 * or three show little of how far the next one may lie.
 */
const minReach = { least: 2.5, perEpisode: 5 } as const;
/**
 * Maximum probability that texts dealt out at random agree as well with the motions. Texts that ask for another
 * motion need less evidence: either for the pair, or for all texts together and some for the pair.
 */
const maxChance = { alike: 0.01, otherMotion: 0.05, otherMotionPair: 0.2 } as const;
/** Number of episodes up to which all texts are tested together; in larger sets each pair has enough evidence. */
const maxShuffledEpisodes = 200;
const shuffles = 999;

/**
 * Computes how far each episode's motion is from the typical motion of each text group, weighting values by how well
 * they separate the groups; `null` if none does.
 */
export function computePlacements(motions: Table, groups: readonly TextGroup[]): Placements | null {
  const spread = computeWithinSpread(motions, groups);
  const weights = computeWeights(groups, spread);
  return weights.every((weight) => weight === 0) ? null : measurePlacements(motions, groups, spread, weights);
}

/**
 * Computes how far each episode's motion is from the typical motion of each text group, with all values weighted
 * equally, so that it does not depend on the texts that are tested.
 */
export function computeEvenPlacements(motions: Table, groups: readonly TextGroup[]): Placements {
  const spread = computeWithinSpread(motions, groups);
  return measurePlacements(motions, groups, spread, new Float64Array(spread.length).fill(1));
}

function measurePlacements(
  motions: Table,
  groups: readonly TextGroup[],
  spread: Float64Array,
  weights: Float64Array,
): Placements {
  const distances = groups.map((group) =>
    group.members.map((m) =>
      groups.map((other) => {
        const centre = other === group ? computeCentreWithout(motions, group, m) : other.centre;
        return computeDistance(motions, m, centre, spread, weights);
      }),
    ),
  );
  const ownDistances = groups.map(({ members, core }, g) => {
    const inCore = new Set(core);
    return distances[g].filter((_, m) => inCore.has(members[m])).map((own) => own[g]);
  });
  return {
    groups,
    distances,
    usual: ownDistances.map((own) => Math.max(1, computeMedian(own))),
    reach: ownDistances.map((own) =>
      Math.max(minReach.least + minReach.perEpisode / own.length, reachFactor * Math.max(...own)),
    ),
  };
}

/**
 * Recomputes the placements with each group's typical motion taken only from members nearest to their own text, so
 * that several wrong texts in a group do not hide each other. Groups in which too many members lie nearer to another
 * text are not changed.
 */
export function placeWithoutStrangers(motions: Table, placements: Placements): Placements {
  const groups = placements.groups.map((group, g) => {
    const core = group.members.filter((_, m) => isNearOwnText(placements, g, m));
    const strangers = group.members.length - core.length;
    return strangers > countAllowedStrangers(group) || core.length < 2
      ? group
      : withCore(motions, group, core);
  });
  return computePlacements(motions, groups) ?? placements;
}

const countAllowedStrangers = ({ members }: TextGroup): number =>
  Math.max(1, maxStrangerShare * members.length);

/**
 * Returns the index of the other group whose motion an episode may have: the nearest one if the episode is within its
 * reach, else the nearest one relative to the groups' usual distances, so that a group of varied motions is found too.
 */
export function findLikelyOther(placements: Placements, group: number, member: number): number {
  const own = placements.distances[group][member];
  const nearest = own.reduce(
    (best, distance, g) => (g !== group && (best === group || distance < own[best]) ? g : best),
    group,
  );
  return own[nearest] <= placements.reach[nearest] ? nearest : findNearestOther(placements, group, member);
}

/** Returns the index of the other group whose motion is nearest, relative to that group's usual distance. */
function findNearestOther({ distances, usual }: Placements, group: number, member: number): number {
  let nearest = group === 0 ? 1 : 0;
  distances[group][member].forEach((distance, g) => {
    if (g !== group && distance / usual[g] < distances[group][member][nearest] / usual[nearest]) nearest = g;
  });
  return nearest;
}

/** `true` if the episode is nearer to its own text's motion, absolutely or relative to the usual distances. */
function isNearOwnText(placements: Placements, group: number, member: number): boolean {
  const { distances, usual } = placements;
  const nearest = findNearestOther(placements, group, member);
  const [own, other] = [distances[group][member][group], distances[group][member][nearest]];
  return own <= Math.max(other, (usual[group] * other) / usual[nearest]);
}

/** Tells whether motion tells two groups apart, by their indices and the relation of their texts. */
export type Separation = (one: number, other: number, relation: MeaningRelation) => boolean;

/**
 * Creates a function that returns `true` if motion separates two texts: few of their episodes lie nearer to another
 * text, and texts assigned at random would not fit the motions as well.
 *
 * @param first placements by all members and the values that separate the groups
 * @param even placements by all members and all values with equal weight
 */
export function createSeparation(first: Placements, even: Placements): Separation {
  const isSeparable = first.groups.map((group, g) => {
    const strangers = group.members.filter((_, m) => !isNearOwnText(first, g, m)).length;
    return strangers <= countAllowedStrangers(group);
  });
  let overall: number | undefined;
  return (one, other, relation) => {
    if (!isSeparable[one] || !isSeparable[other]) return false;
    const chance = computePairChance(even, one, other);
    if (relation !== 'other_motion') return chance <= maxChance.alike;
    if (chance <= maxChance.otherMotion) return true;
    overall ??= computeOverallChance(even);
    return chance <= maxChance.otherMotionPair && overall <= maxChance.otherMotion;
  };
}

/** Computes Fisher's exact test, one-sided, of the text of two groups' episodes against their nearer motion. */
function computePairChance({ groups, distances }: Placements, one: number, other: number): number {
  const countNear = (group: number, near: number, far: number) =>
    groups[group].members.filter((_, m) => distances[group][m][near] <= distances[group][m][far]).length;
  const sizes = [groups[one].members.length, groups[other].members.length];
  const right = countNear(one, one, other);
  const nearOne = right + sizes[1] - countNear(other, other, one);
  let chance = 0;
  for (let k = right; k <= Math.min(sizes[0], nearOne); k++)
    chance += Math.exp(
      logChoose(sizes[0], k) + logChoose(sizes[1], nearOne - k) - logChoose(sizes[0] + sizes[1], nearOne),
    );
  return chance;
}

/** Natural logarithm of the binomial coefficient; -Infinity if `k` is not within 0..n. */
function logChoose(n: number, k: number): number {
  if (k < 0 || k > n) return -Infinity;
  let sum = 0;
  for (let i = 1; i <= k; i++) sum += Math.log((n - k + i) / i);
  return sum;
}

/**
 * Computes the fraction of shuffles of the texts that agree as well with the nearest motions as the texts do;
 * 1 above `maxShuffledEpisodes`.
 */
function computeOverallChance({ groups, distances }: Placements): number {
  const texts = groups.flatMap(({ members }, group) => members.map(() => group));
  if (texts.length > maxShuffledEpisodes) return 1;
  const nearest = distances.flatMap((group) => group.map((own) => own.indexOf(Math.min(...own))));
  const countAgreeing = () => texts.reduce((count, text, i) => count + (text === nearest[i] ? 1 : 0), 0);
  const agreeing = countAgreeing();
  const random = seededRandom(texts.length);
  let asGood = 1;
  for (let shuffle = 0; shuffle < shuffles; shuffle++) {
    for (let i = texts.length - 1; i > 0; i--) {
      const j = random.integer(0, i);
      [texts[i], texts[j]] = [texts[j], texts[i]];
    }
    if (countAgreeing() >= agreeing) asGood++;
  }
  return asGood / (shuffles + 1);
}
