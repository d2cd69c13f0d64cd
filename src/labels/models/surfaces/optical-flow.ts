import { type SurfaceRow, scored } from '../surface.ts';

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
    },
    {
      id: 'princeton-vl/sea-raft-s',
      title: 'SEA-RAFT S',
      licence: 'BSD-3-Clause',
      runtime: 'onnx_export_needed',
      evidence: [
        scored('Spring', '1px', 3.904, { source: 'secondary' }),
        scored('Spring', 'EPE', 0.377, { unit: 'px', source: 'secondary' }),
      ],
    },
    {
      id: 'princeton-vl/sea-raft-m',
      title: 'SEA-RAFT M',
      licence: 'BSD-3-Clause',
      runtime: 'onnx_export_needed',
      evidence: [
        scored('Spring', '1px', 3.686, { source: 'secondary' }),
        scored('Spring', 'EPE', 0.363, { unit: 'px', source: 'secondary' }),
      ],
    },
  ],
  by_use_case: {},
  rejected: [
    {
      id: 'princeton-vl/waft-dinov3',
      title: 'WAFT with a DINOv3 encoder',
      licence: 'DINOv3 licence',
      reason: 'its encoder brings the DINOv3 licence along',
      evidence: [],
    },
  ],
};
