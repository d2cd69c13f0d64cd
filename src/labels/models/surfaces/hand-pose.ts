import { type SurfaceRow, scored } from '../surface.ts';
import { handCrops } from './contracts/poses.ts';

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
    {
      id: 'google/mediapipe-hand-lite',
      title: 'Hand landmarks of MediaPipe, lite, after the detector of handtrack.js',
      licence: 'Apache-2.0; of the detector’s weights not stated',
      runtime: 'bundled',
      bundled: {
        package: '@vladmandic/human',
        files: { detector: 'models/handtrack.json', landmarks: 'models/handlandmark-lite.json' },
      },
      contract: handCrops,
      evidence: [],
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
