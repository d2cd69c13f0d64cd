import { type CameraEvidence, gridSide, picturesSkippedReason } from '#core/episode';
import type { Description, Descriptor, DescriptorInput, Span } from './descriptor.ts';
import { unitVector } from './descriptor.ts';

const cells = gridSide * gridSide;
/** Maximum number of frames per span, spread evenly over the decoded ones. */
const framesTaken = 12;
/** Bins of edge direction, and parts of the picture along each side. */
const directions = 8;
const quarters = 2;

/**
 * Describes the look of the decoded frames of an episode: `[layout 8×8, change 8×8, edges 2×2×8]`.
 *
 * From the mean luma of 8×8 blocks of up to twelve frames that the checks decode anyway. Layout: the blocks less the
 * frame's mean, averaged over time. Change: mean |Δ| of a block between one of these frames and the next. Edges: central
 * differences of the layout, by their length into eight directions, for each quarter of the picture (after Dalal and
 * Triggs, 2005). The blocks have 45, 30 and 25 % of the squared length; several cameras are averaged.
 */
export const picture: Descriptor = {
  id: 'picture',
  version: 1,
  dims: 2 * cells + quarters * quarters * directions,
  says: 'appearance of the images: distribution of brightness, motion and edge directions. Brightness only: no colour, no objects, no meaning.',
  describe,
};

function describe({ episode, cameras }: DescriptorInput, span: Span | null): Description {
  const streams = episode.streams.filter(({ modality }) => modality === 'video' || modality === 'image');
  if (streams.length === 0) return { reason: 'no images' };
  if (cameras.size === 0) return { reason: picturesSkippedReason };
  const layout = new Float64Array(cells);
  const change = new Float64Array(cells);
  let cameraCount = 0;
  for (const { id } of [...streams].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const grids = collectGrids(cameras.get(id), span);
    if (grids.length === 0) continue;
    cameraCount++;
    addLayout(layout, grids);
    addChange(change, grids);
  }
  if (cameraCount === 0) return { reason: 'no decoded images' };
  const vector = unitVector([
    { values: layout, weight: 0.45 },
    { values: change, weight: 0.3 },
    { values: computeEdges(layout), weight: 0.25 },
  ]);
  return vector === null ? { reason: 'all images are uniform' } : { vector, layout: '' };
}

/** Returns the luma blocks of the selected frames, minus each frame's mean; empty without evidence. */
function collectGrids(evidence: CameraEvidence | undefined, span: Span | null): Float64Array[] {
  if (evidence === undefined) return [];
  const { time_s, grid, index } = evidence.sampled;
  const within: number[] = [];
  for (let i = 0; i < index.length; i++)
    if (span === null || (time_s[i] >= span.from_s && time_s[i] <= span.to_s)) within.push(i);
  return selectEvenly(within, time_s).map((i) => {
    const blocks = Float64Array.from(grid.subarray(i * cells, (i + 1) * cells));
    const mean = blocks.reduce((sum, value) => sum + value, 0) / cells;
    return blocks.map((value) => value - mean);
  });
}

/** Selects up to 12 frames at about equal time steps, so that bursts of frames do not weigh more. */
function selectEvenly(frames: readonly number[], time_s: Float64Array): number[] {
  if (frames.length <= 1) return [...frames];
  const from = time_s[frames[0]];
  const step = (time_s[frames[frames.length - 1]] - from) / (framesTaken - 1);
  const selected: number[] = [];
  for (const i of frames)
    if (selected.length === 0 || time_s[i] >= from + step * selected.length * (1 - 1e-9)) selected.push(i);
  return selected.slice(0, framesTaken);
}

function addLayout(layout: Float64Array, grids: readonly Float64Array[]): void {
  for (const grid of grids) for (let c = 0; c < cells; c++) layout[c] += grid[c] / grids.length;
}

function addChange(change: Float64Array, grids: readonly Float64Array[]): void {
  for (let k = 1; k < grids.length; k++)
    for (let c = 0; c < cells; c++) change[c] += Math.abs(grids[k][c] - grids[k - 1][c]) / (grids.length - 1);
}

function computeEdges(layout: Float64Array): Float64Array {
  const edges = new Float64Array(quarters * quarters * directions);
  const half = gridSide / quarters;
  for (let y = 1; y < gridSide - 1; y++) {
    for (let x = 1; x < gridSide - 1; x++) {
      const across = layout[y * gridSide + x + 1] - layout[y * gridSide + x - 1];
      const down = layout[(y + 1) * gridSide + x] - layout[(y - 1) * gridSide + x];
      const quarter = Math.floor(y / half) * quarters + Math.floor(x / half);
      const length = Math.sqrt(across * across + down * down);
      edges[quarter * directions + computeOctant(across, down)] += length;
    }
  }
  return edges;
}

/** Returns the octant (0 to 7) of a direction. Avoids atan2, whose last bit differs between machines. */
function computeOctant(across: number, down: number): number {
  const steep = Math.abs(down) > Math.abs(across) ? 1 : 0;
  return (across < 0 ? 4 : 0) + (down < 0 ? 2 : 0) + steep;
}
