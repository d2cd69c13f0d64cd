import { metricTitles } from '#core/titles';
import { type Metric, notAssessable } from '../metric.ts';

export const stereoReprojection: Metric = {
  id: 'stereo.reprojection',
  title: metricTitles['stereo.reprojection'],
  unit: 'px',
  direction: 'lower_is_better',
  formula:
    'root mean square distance of observed points from their reprojection through the declared calibration',
  inputs:
    'trusted correspondences between two cameras, or observations of a known target, that the source itself carries',
  boundaries: {
    ideal: 0.5,
    review: 1.5,
    allowed_share: 0.05,
    source:
      'half a pixel is what calibration tools reach (OpenCV, Kalibr); beyond 1.5 px disparity is off by more than matching is',
  },
  observe({ receipt }) {
    const cameras = receipt.streams.filter(({ role }) => role === 'camera').length;
    return notAssessable(
      cameras < 2
        ? 'fewer than two cameras'
        : 'the source carries no trusted correspondences or observations of a target; matches that are guessed from the pictures are no evidence of their calibration',
    );
  },
};
