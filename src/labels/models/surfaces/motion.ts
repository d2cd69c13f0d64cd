import { benchmarkResult, type SurfaceRow } from '../surface.ts';

/** Models for optical flow. */
export const opticalFlowSurface: SurfaceRow = {
  id: 'optical_flow',
  title: 'Optical flow',
  selectable: true,
  options: [
    {
      id: 'opencv/farneback',
      title: 'Farnebäck',
      licence: 'Apache-2.0',
      runtime: 'algorithm',
      evidence: [],
      no_evidence:
        'no published result was found for the settings used here, and there is no labelled optical flow to measure it with',
    },
    {
      id: 'princeton-vl/sea-raft-s',
      title: 'SEA-RAFT S',
      licence: 'BSD-3-Clause',
      runtime: 'onnx_export_needed',
      evidence: [
        benchmarkResult('Spring', '1px', 3.904, { source: 'secondary' }),
        benchmarkResult('Spring', 'EPE', 0.377, { unit: 'px', source: 'secondary' }),
      ],
    },
    {
      id: 'princeton-vl/sea-raft-m',
      title: 'SEA-RAFT M',
      licence: 'BSD-3-Clause',
      runtime: 'onnx_export_needed',
      evidence: [
        benchmarkResult('Spring', '1px', 3.686, { source: 'secondary' }),
        benchmarkResult('Spring', 'EPE', 0.363, { unit: 'px', source: 'secondary' }),
      ],
    },
  ],
  by_use_case: {},
  rejected: [
    {
      id: 'princeton-vl/waft-dinov3',
      title: 'WAFT with a DINOv3 encoder',
      licence: 'DINOv3 licence',
      reason: 'its encoder is under the DINOv3 licence',
      evidence: [],
      no_evidence: 'no score was found in the README or paper of its authors',
    },
  ],
};

const authorsDetector = { note: 'with the authors’ detector' };

/** Algorithms for object tracking. */
export const tracking: SurfaceRow = {
  id: 'tracking',
  title: 'Object tracking',
  selectable: true,
  options: [
    {
      id: 'ifzhang/bytetrack',
      title: 'ByteTrack',
      licence: 'MIT',
      runtime: 'algorithm',
      evidence: [
        benchmarkResult('MOT17', 'HOTA', 63.1, authorsDetector),
        benchmarkResult('MOT17', 'MOTA', 80.3, authorsDetector),
      ],
    },
    {
      id: 'noahcao/oc-sort',
      title: 'OC-SORT',
      licence: 'MIT',
      runtime: 'algorithm',
      evidence: [
        benchmarkResult('MOT17', 'HOTA', 63.2, authorsDetector),
        benchmarkResult('MOT17', 'MOTA', 78.0, authorsDetector),
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
      evidence: [benchmarkResult('RoboTAP', 'not stated', 78.8)],
    },
  ],
};
