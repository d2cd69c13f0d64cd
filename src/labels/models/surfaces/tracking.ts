import { type SurfaceRow, scored } from '../surface.ts';

const overDetections = { note: 'with the detector of its authors' };

export const tracking: SurfaceRow = {
  id: 'tracking',
  title: 'Following objects',
  selectable: true,
  options: [
    {
      id: 'ifzhang/bytetrack',
      title: 'ByteTrack',
      licence: 'MIT',
      runtime: 'algorithm',
      evidence: [
        scored('MOT17', 'HOTA', 63.1, overDetections),
        scored('MOT17', 'MOTA', 80.3, overDetections),
      ],
    },
    {
      id: 'noahcao/oc-sort',
      title: 'OC-SORT',
      licence: 'MIT',
      runtime: 'algorithm',
      evidence: [
        scored('MOT17', 'HOTA', 63.2, overDetections),
        scored('MOT17', 'MOTA', 78.0, overDetections),
      ],
    },
  ],
  by_use_case: {},
  rejected: [
    {
      id: 'facebook/cotracker3',
      title: 'CoTracker3',
      licence: 'CC-BY-NC',
      reason: 'non-commercial use only',
      evidence: [scored('RoboTAP', 'not stated', 78.8)],
    },
  ],
};
