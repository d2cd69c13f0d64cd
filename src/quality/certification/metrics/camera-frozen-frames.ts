import { significant } from '#core';
import { metricTitles } from '#core/titles';
import { type Metric, notAssessable } from '../metric.ts';
import { type CameraMeasurement, readPictures } from '../read-pictures.ts';

export const cameraFrozenFrames: Metric = {
  id: 'camera.frozen_frames',
  title: metricTitles['camera.frozen_frames'],
  unit: 'ratio',
  direction: 'lower_is_better',
  formula:
    'worst camera: the larger of e / p, with p the compared pairs of consecutive frames (for encoded video, only during motion) and e the identical ones, and f / duration, with f the time in runs of identical frames of 0.4 s or more while signals move',
  inputs: 'decoded frames and encoded packets, measured by image_integrity',
  boundaries: {
    ideal: 0.02,
    review: 0.125,
    allowed_share: 0.05,
    source:
      'real cameras that run at their declared rate repeat no frames; image_integrity flags one frame in eight',
  },
  observe({ receipt }) {
    const read = readPictures(receipt);
    if ('reason' in read) return notAssessable(read.reason);
    const compared = read.showing.filter(({ repeats }) => repeats !== null && repeats.pairs > 0);
    if (compared.length === 0) return notAssessable('no two consecutive frames could be compared');
    const share = (camera: CameraMeasurement) => frozenShare(camera, read.duration_s);
    const worst = compared.reduce((highest, next) => (share(next) > share(highest) ? next : highest));
    return {
      observed: significant(share(worst)),
      confidence: read.confidence,
      inputs: {
        camera: worst.camera,
        pairs: worst.repeats?.pairs ?? 0,
        equal: worst.repeats?.equal ?? 0,
        frozen_s: worst.frozen.seconds,
      },
      provenance: 'image_integrity, from consecutive frames',
    };
  },
};

function frozenShare({ repeats, frozen }: CameraMeasurement, duration_s: number): number {
  const repeated = repeats === null || repeats.pairs === 0 ? 0 : repeats.equal / repeats.pairs;
  return Math.min(1, Math.max(repeated, duration_s > 0 ? frozen.seconds / duration_s : 0));
}
