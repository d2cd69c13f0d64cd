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
    'of the worst camera, the larger of e / p, with p the pairs of neighbours compared (of coded video, those within motion) and e the equal ones, and of f / duration, with f the time of equal frames of 0.4 s and more while signals move',
  inputs: 'decoded frames and coded packets, as image_integrity measured them',
  boundaries: {
    ideal: 0.02,
    review: 0.125,
    allowed_share: 0.05,
    source:
      'real cameras that keep their grid repeat none; one frame in eight is where image_integrity raises its flag',
  },
  observe({ receipt }) {
    const read = readPictures(receipt);
    if ('reason' in read) return notAssessable(read.reason);
    const compared = read.showing.filter(({ repeats }) => repeats !== null && repeats.pairs > 0);
    if (compared.length === 0) return notAssessable('no two neighbouring frames could be compared');
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
      provenance: 'image_integrity, by neighbouring frames',
    };
  },
};

function frozenShare({ repeats, frozen }: CameraMeasurement, duration_s: number): number {
  const repeated = repeats === null || repeats.pairs === 0 ? 0 : repeats.equal / repeats.pairs;
  return Math.min(1, Math.max(repeated, duration_s > 0 ? frozen.seconds / duration_s : 0));
}
