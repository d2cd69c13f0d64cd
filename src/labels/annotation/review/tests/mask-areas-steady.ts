import { significant } from '#core';
import { knownMasks, type MaskedFrame } from '../../known/known-masks.ts';
import { evidenceOf, type Fault, type ReviewTest } from '../review-test.ts';
import { isOneOff } from '../there-and-back.ts';

/** So many times as large or as small for one frame. */
const jump = 3;

export const maskAreasSteady: ReviewTest = {
  id: 'mask_areas_steady',
  layer: 'segmentation',
  says: 'no class covers three times as much of a picture as in the frames around it, or a third',
  run: (artifact) => {
    const { frames } = knownMasks.parse(artifact);
    const faults: Fault[] = [];
    let looked = 0;
    for (let at = 1; at + 1 < frames.length; at++) {
      const three = [frames[at - 1], frames[at], frames[at + 1]];
      const [{ camera, time_s, labels }] = three.slice(1);
      if (three.some((frame) => frame.camera !== camera)) continue;
      for (const { label } of labels) {
        const shares = three.map((frame) => shareOf(frame, label));
        if (shares.includes(0)) continue;
        looked++;
        const [before, now] = shares;
        if (!isOneOff(shares as unknown as readonly [number, number, number], jump)) continue;
        faults.push({
          says: `${label} covers ${percent(now)} of the picture at ${time_s} s in ${camera}, and ${percent(before)} before`,
          at: { camera, time_s },
        });
      }
    }
    if (looked === 0) return 'no class has a mask in three frames in a row';
    return evidenceOf(
      looked,
      faults,
      'run the layer segmentation again with a higher sample_hz, or name the classes that matter',
    );
  },
};

const shareOf = ({ labels, width_px, height_px }: MaskedFrame, label: string): number =>
  (labels.find((one) => one.label === label)?.pixels ?? 0) / Math.max(1, width_px * height_px);

const percent = (share: number): string => `${significant(100 * share, 3)} %`;
