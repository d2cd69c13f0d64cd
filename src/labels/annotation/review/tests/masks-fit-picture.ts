import { knownMasks, type MaskedFrame } from '../../known/known-masks.ts';
import { runsOf } from '../../masks/read-rle.ts';
import { evidenceOf, type Fault, type ReviewTest } from '../review-test.ts';

export const masksFitPicture: ReviewTest = {
  id: 'masks_fit_picture',
  layer: 'segmentation',
  says: 'every mask has the size of its picture, reaches its last pixel and no further, and has as many as it says',
  run: (artifact) => {
    const faults: Fault[] = [];
    let looked = 0;
    for (const frame of knownMasks.parse(artifact).frames)
      for (const own of frame.labels) {
        looked++;
        const fault = faultOf(own, frame);
        if (fault === null) continue;
        const { camera, time_s } = frame;
        const says = `the mask of ${own.label} ${fault}, at ${time_s} s in ${camera}`;
        faults.push({ says, at: { camera, time_s } });
      }
    if (looked === 0) return 'there is no mask';
    return evidenceOf(looked, faults, 'run the layer segmentation again');
  },
};

function faultOf(
  { pixels, rle }: MaskedFrame['labels'][number],
  { width_px, height_px }: MaskedFrame,
): string | null {
  const [height, width] = rle.size;
  if (height !== height_px || width !== width_px)
    return `is ${width}x${height} px, not ${width_px}x${height_px}`;
  const runs = runsOf(rle.counts);
  if (runs.some((run) => run < 0)) return 'has a run of less than nothing';
  const all = runs.reduce((sum, run) => sum + run, 0);
  const reach = runs.length % 2 === 0 ? all : all - runs.at(-1)!;
  if (all !== width * height || reach > width * height) return `tells of ${all} px of ${width * height}`;
  const inside = runs.reduce((sum, run, at) => sum + (at % 2 === 1 ? run : 0), 0);
  return inside === pixels ? null : `has ${inside} px and says ${pixels}`;
}
