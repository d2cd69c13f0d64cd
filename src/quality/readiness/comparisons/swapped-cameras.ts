import { significant } from '#core';
import { gridSide, type SampledFrames } from '#core/episode';
import { comparisonTitles } from '#core/titles';
import { type ComparisonRow, defineComparison } from '../comparison.ts';
import { computeMedian } from '../features/numeric.ts';
import { decodeIdList, encodeIdList, groupBy } from './shared/comparison-rows.ts';

/** List of camera ids, and by camera the mean picture of the episode: 8 x 8 means of luma, base64. */
export type MeanPictureRow = {
  readonly cameras: string;
  readonly looks: { readonly [camera: string]: string };
};

type Note = { readonly one: string; readonly other: string; readonly share: number };

const blockCount = gridSide * gridSide;
/** Minimum number of episodes for a typical picture. */
const minEpisodes = 4;
/** Minimum difference between two cameras' typical pictures, in levels, to tell them apart. */
const minCameraDifference = 8;
/**
 * Limits for an exchange: maximum ratio of the exchanged difference to the own one, and minimum ratio of the
 * own difference to the usual one.
 */
const maxExchangedRatio = 0.5;
const minOwnRatio = 2;

export const swappedCameras = defineComparison<MeanPictureRow>({
  id: 'swapped_cameras',
  title: comparisonTitles.swapped_cameras,
  about:
    'Compares the mean image of each camera (8 x 8 luma blocks, brightness removed) with the medians of the dataset, for datasets of at least four episodes. Two cameras are swapped in an episode if their images differ from their own medians and match each other’s at least twice as well.',
  judged_by: ['image_integrity'],
  raises: {
    check: 'image_integrity',
    flags: [
      {
        code: 'cameras_swapped',
        severity: 'warning',
        meaning: 'Two cameras are swapped: each shows the view of the other one.',
        advice:
          'Check both cameras and swap their streams in this episode; identify cameras by serial number.',
      },
    ],
    judge: ({ one, other, share }) => [
      {
        flag: 'cameras_swapped',
        score: 0.3,
        observed: Number(share),
        message: () =>
          `${String(one)} and ${String(other)} seem to be swapped: swapping them back reduces the difference to their usual images to ${Math.round(100 * Number(share))} %`,
      },
    ],
  },
  collect({ cameras }) {
    const looks: Record<string, string> = {};
    for (const [id, { sampled }] of cameras)
      if (sampled.index.length > 1) looks[id] = Buffer.from(computeMeanGrid(sampled)).toString('base64');
    const ids = Object.keys(looks).sort();
    return ids.length < 2 ? null : { cameras: encodeIdList(ids), looks };
  },
  conclude(rows) {
    const notes = new Map<string, Note>();
    for (const group of groupBy(rows, (row) => row.cameras).values())
      if (group.length >= minEpisodes) addNotes(group, notes);
    return { findings: [], notes };
  },
});

function computeMeanGrid({ grid, index }: SampledFrames): Uint8Array {
  const sums = new Float64Array(blockCount);
  for (let i = 0; i < grid.length; i++) sums[i % blockCount] += grid[i];
  return Uint8Array.from(sums, (sum) => Math.round(sum / index.length));
}

function addNotes(group: readonly ComparisonRow<MeanPictureRow>[], notes: Map<string, Note>): void {
  const ids = decodeIdList(group[0].row.cameras);
  const looks = ids.map((id) => group.map(({ row }) => subtractMean(Buffer.from(row.looks[id], 'base64'))));
  const usual = looks.map((own) => computeMedianLook(own));
  for (let a = 0; a < ids.length; a++)
    for (let b = a + 1; b < ids.length; b++) {
      if (computeMeanDifference(usual[a], usual[b]) < minCameraDifference) continue;
      const ownDifferences = group.map(
        (_, e) => computeMeanDifference(looks[a][e], usual[a]) + computeMeanDifference(looks[b][e], usual[b]),
      );
      const limit = minOwnRatio * computeMedian(ownDifferences);
      group.forEach(({ episode }, e) => {
        const crossed =
          computeMeanDifference(looks[a][e], usual[b]) + computeMeanDifference(looks[b][e], usual[a]);
        if (ownDifferences[e] > limit && crossed < maxExchangedRatio * ownDifferences[e])
          notes.set(episode, {
            one: ids[a],
            other: ids[b],
            share: significant(crossed / ownDifferences[e], 3),
          });
      });
    }
}

/** Subtracts the mean of a grid: lighting changes, the layout of the scene does not. */
function subtractMean(grid: Uint8Array): Float64Array {
  let sum = 0;
  for (const level of grid) sum += level;
  return Float64Array.from(grid, (level) => level - sum / grid.length);
}

function computeMedianLook(looks: readonly Float64Array[]): Float64Array {
  return Float64Array.from({ length: blockCount }, (_, block) =>
    computeMedian(looks.map((look) => look[block])),
  );
}

/** Returns the mean |a − b| in levels. */
function computeMeanDifference(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < blockCount; i++) sum += Math.abs(a[i] - b[i]);
  return sum / blockCount;
}
