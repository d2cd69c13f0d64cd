import { metricTitles } from '#core/titles';
import { type Metric, notAssessable } from '../metric.ts';

export const stereoReprojection: Metric = {
  id: 'stereo.reprojection',
  title: metricTitles['stereo.reprojection'],
  unit: 'px',
  direction: 'lower_is_better',
  formula:
    'root mean square distance between observed points and their reprojection with the declared calibration',
  inputs:
    'trusted correspondences between two cameras, or observations of a known target, contained in the source',
  boundaries: {
    ideal: 0.5,
    review: 1.5,
    allowed_share: 0.05,
    source:
      'calibration tools (OpenCV, Kalibr) reach 0.5 px; beyond 1.5 px the error exceeds that of stereo matching',
  },
  observe({ receipt }) {
    const cameras = receipt.streams.filter(({ role }) => role === 'camera').length;
    return notAssessable(
      cameras < 2
        ? 'fewer than two cameras'
        : 'the source contains no trusted correspondences or target observations; matches estimated from the images are not evidence of the calibration',
    );
  },
};
