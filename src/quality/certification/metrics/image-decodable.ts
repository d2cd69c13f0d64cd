import { metricTitles } from '#core/titles';
import { type Metric, notAssessable } from '../metric.ts';
import { readPictures } from '../read-pictures.ts';

const grades = { yes: 1, partial: 0.5, no: 0 } as const;

export const imageDecodable: Metric = {
  id: 'image.decodable',
  title: metricTitles['image.decodable'],
  unit: 'grade',
  direction: 'higher_is_better',
  formula: 'worst camera: 1 if every requested frame decodes, 0.5 if some do, 0 if none does',
  inputs: 'frames requested by image_integrity',
  boundaries: {
    ideal: 1,
    review: 0.5,
    allowed_share: 0.02,
    source:
      'a loader fails at the first frame that does not decode; the episode can be cut before the damaged part',
  },
  observe({ receipt }) {
    const read = readPictures(receipt);
    if ('reason' in read) return notAssessable(read.reason);
    const worst = read.cameras.reduce((lowest, next) =>
      grades[next.decodable] < grades[lowest.decodable] ? next : lowest,
    );
    return {
      observed: grades[worst.decodable],
      confidence: read.confidence,
      inputs: {
        camera: worst.camera,
        frames: worst.frames,
        decodable: worst.decodable,
        reason: worst.reason,
      },
      provenance: 'decoder result',
    };
  },
};
