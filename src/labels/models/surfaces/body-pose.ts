import { type SurfaceRow, scored } from '../surface.ts';
import { moveNet } from './contracts/poses.ts';

export const bodyPoseSurface: SurfaceRow = {
  id: 'body_pose',
  title: 'Keypoints of people',
  selectable: true,
  options: [
    {
      id: 'usyd-community/vitpose-base',
      title: 'ViTPose B',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      evidence: [scored('COCO', 'AP', 75.8)],
    },
    {
      id: 'usyd-community/vitpose-huge',
      title: 'ViTPose H',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      evidence: [scored('COCO', 'AP', 79.1)],
    },
    {
      id: 'open-mmlab/rtmpose-m',
      title: 'RTMPose m',
      licence: 'Apache-2.0',
      runtime: 'onnx_export_needed',
      evidence: [scored('COCO', 'AP', 75.8)],
    },
    {
      id: 'open-mmlab/rtmo-l',
      title: 'RTMO l',
      licence: 'Apache-2.0',
      runtime: 'onnx_export_needed',
      evidence: [scored('COCO', 'AP', 74.8)],
    },
    {
      id: 'google/movenet-lightning',
      title: 'MoveNet Lightning',
      licence: 'Apache-2.0',
      runtime: 'bundled',
      bundled: { package: '@vladmandic/human', files: { main: 'models/movenet-lightning.json' } },
      contract: moveNet,
      evidence: [],
    },
  ],
  by_use_case: {},
  rejected: [
    {
      id: 'facebook/sapiens',
      title: 'Sapiens',
      licence: 'CC-BY-NC-4.0',
      reason: 'non-commercial use only',
      evidence: [],
    },
  ],
};
