import { type SurfaceRow, scored } from '../surface.ts';

export const handPoseSurface: SurfaceRow = {
  id: 'hand_pose',
  title: 'Keypoints of hands',
  selectable: true,
  options: [
    {
      id: 'open-mmlab/rtmpose-m-hand',
      title: 'RTMPose m, hand',
      licence: 'Apache-2.0',
      runtime: 'onnx_export_needed',
      evidence: [scored('Hand5', 'PCK@0.2', 96.4), scored('Hand5', 'AUC', 83.9)],
    },
  ],
  by_use_case: {},
  rejected: [
    {
      id: 'rolpotamias/wilor',
      title: 'WiLoR',
      licence: 'CC-BY-NC-ND with MANO',
      reason:
        'non-commercial use only, and no changed versions; the hand model it needs has terms of its own',
      evidence: [scored('FreiHAND', 'PA-MPJPE', 5.5, { unit: 'mm' })],
    },
    {
      id: 'geopavlakos/hamer',
      title: 'HaMeR',
      licence: 'MANO terms',
      reason: 'the hand model it needs may not be used commercially',
      evidence: [scored('FreiHAND', 'PA-MPJPE', 6.0, { unit: 'mm' })],
    },
  ],
};
