import { significant } from '#core';
import { gridSide, type SampledFrames } from '#core/episode';
import { groupBy } from '../comparing/compared-signals.ts';
import { idList, idsIn } from '../comparing/id-list.ts';
import { medianOf } from '../comparing/robust.ts';
import { type ComparedRow, defineComparison } from '../comparison.ts';

/** List of the cameras' ids, and by camera the mean picture of the episode: 8 x 8 means of luma, base64. */
export type LooksRow = {
  readonly cameras: string;
  readonly looks: { readonly [camera: string]: string };
};

type Note = { readonly one: string; readonly other: string; readonly share: number };

const blocks = gridSide * gridSide;
/** Episodes that show how a camera usually looks. */
const fewest = 4;
/** Levels by which two cameras' usual pictures must differ, so that one can be told from the other. */
const leastApart = 8;
/** Exchanged, the pictures must fit this much better than as they are, and these less well than usual. */
const muchBetter = 0.5;
const muchWorse = 2;

export const swappedCameras = defineComparison<LooksRow>({
  id: 'swapped_cameras',
  title: 'Cameras exchanged',
  about:
    'The mean picture of each camera (8 x 8 blocks of luma, without its brightness) is compared with the medians of the set, in sets of at least four episodes. Two cameras were exchanged in an episode where their pictures differ from their own medians and fit each other’s at least twice as well.',
  judged_by: ['image_integrity'],
  raises: {
    check: 'image_integrity',
    flags: [
      {
        code: 'cameras_swapped',
        severity: 'warning',
        meaning: 'Two cameras are exchanged: each shows what the other shows in the other episodes.',
        advice: 'Check both, exchange their streams in this episode, and identify cameras by serial number.',
      },
    ],
    judge: ({ one, other, share }) => [
      {
        flag: 'cameras_swapped',
        score: 0.3,
        observed: Number(share),
        message: () =>
          `${String(one)} and ${String(other)} are exchanged: each shows what the other shows in the other episodes, and exchanged back, their pictures differ from the usual ones by ${Math.round(100 * Number(share))} % of what they differ now`,
      },
    ],
  },
  collect({ cameras }) {
    const looks: Record<string, string> = {};
    for (const [id, { sampled }] of cameras)
      if (sampled.index.length > 1) looks[id] = Buffer.from(meanGrid(sampled)).toString('base64');
    const ids = Object.keys(looks).sort();
    return ids.length < 2 ? null : { cameras: idList(ids), looks };
  },
  conclude(rows) {
    const notes = new Map<string, Note>();
    for (const group of groupBy(rows, (row) => row.cameras).values())
      if (group.length >= fewest) addNotes(group, notes);
    return { findings: [], notes };
  },
});

function meanGrid({ grid, index }: SampledFrames): Uint8Array {
  const sums = new Float64Array(blocks);
  for (let i = 0; i < grid.length; i++) sums[i % blocks] += grid[i];
  return Uint8Array.from(sums, (sum) => Math.round(sum / index.length));
}

function addNotes(group: readonly ComparedRow<LooksRow>[], notes: Map<string, Note>): void {
  const ids = idsIn(group[0].row.cameras);
  const looks = ids.map((id) => group.map(({ row }) => shapeOf(Buffer.from(row.looks[id], 'base64'))));
  const usual = looks.map((own) => usualOf(own));
  for (let a = 0; a < ids.length; a++)
    for (let b = a + 1; b < ids.length; b++) {
      if (apart(usual[a], usual[b]) < leastApart) continue;
      const kept = group.map((_, e) => apart(looks[a][e], usual[a]) + apart(looks[b][e], usual[b]));
      const limit = muchWorse * medianOf(kept);
      group.forEach(({ episode }, e) => {
        const crossed = apart(looks[a][e], usual[b]) + apart(looks[b][e], usual[a]);
        if (kept[e] > limit && crossed < muchBetter * kept[e])
          notes.set(episode, { one: ids[a], other: ids[b], share: significant(crossed / kept[e], 3) });
      });
    }
}

/** Without its mean: lamps change, what stands where does not. */
function shapeOf(grid: Uint8Array): Float64Array {
  let sum = 0;
  for (const level of grid) sum += level;
  return Float64Array.from(grid, (level) => level - sum / grid.length);
}

function usualOf(looks: readonly Float64Array[]): Float64Array {
  return Float64Array.from({ length: blocks }, (_, block) => medianOf(looks.map((look) => look[block])));
}

/** Mean |a − b| in levels. */
function apart(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < blocks; i++) sum += Math.abs(a[i] - b[i]);
  return sum / blocks;
}
