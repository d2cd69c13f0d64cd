import type { SurfaceRow } from '../surface.ts';
import { selfHostedVision } from './self-hosted-vision.ts';

export const reviewing: SurfaceRow = {
  id: 'reviewing',
  title: 'Looking at annotations beside their frames',
  selectable: true,
  options: [
    {
      id: 'assay/review-tests',
      title: 'Deterministic tests alone',
      licence: 'Apache-2.0',
      runtime: 'algorithm',
      evidence: [],
    },
    selfHostedVision,
  ],
  by_use_case: {},
  rejected: [],
};
