import type { PictureContract } from '../contract.ts';
import { benchmarkResult, type SurfaceRow } from '../surface.ts';

/** Contract of the hand detector and 21-point landmark model shipped in @vladmandic/human. */
const handCrops: PictureContract = {
  form: 'hand-crops',
  side_px: 320,
  mean: [0, 0, 0],
  deviation: [255, 255, 255],
  graphs: {
    detector: {
      inputs: { input_tensor: { type: 'int32', dims: [1, 320, 320, 3] } },
      outputs: {
        'StatefulPartitionedCall/Postprocessor/Slice': { type: 'float32', dims: [1, null, 7] },
        'StatefulPartitionedCall/Postprocessor/ExpandDims_1': { type: 'float32', dims: [1, null, 1, 4] },
      },
    },
    landmarks: {
      inputs: { input_1: { type: 'float32', dims: [1, 224, 224, 3] } },
      outputs: {
        Identity: { type: 'float32', dims: [1, 63] },
        Identity_1: { type: 'float32', dims: [1, 1] },
        Identity_2: { type: 'float32', dims: [1, 1] },
      },
    },
  },
};

/** Contract of MoveNet for a single person. */
const moveNet: PictureContract = {
  form: 'movenet',
  side_px: 192,
  mean: [0, 0, 0],
  deviation: [1, 1, 1],
  graphs: {
    main: {
      inputs: { input: { type: 'int32', dims: [1, 192, 192, 3] } },
      outputs: { Identity: { type: 'float32', dims: [1, 1, 17, 3] } },
    },
  },
};

/** Models for body keypoints. */
export const bodyPoseSurface: SurfaceRow = {
  id: 'body_pose',
  title: 'Human pose estimation',
  selectable: true,
  options: [
    {
      id: 'google/movenet-lightning',
      title: 'MoveNet Lightning',
      licence: 'Apache-2.0',
      runtime: 'bundled',
      bundled: { package: '@vladmandic/human', files: { main: 'models/movenet-lightning.json' } },
      contract: moveNet,
      evidence: [],
      no_evidence:
        'no published result for the bundled conversion was found, and there are no labelled body keypoints to measure it with',
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
      no_evidence: 'no score was found in the README or paper of its authors',
    },
  ],
};

/** Models for hand keypoints. */
export const handPoseSurface: SurfaceRow = {
  id: 'hand_pose',
  title: 'Hand pose estimation',
  selectable: true,
  options: [
    {
      id: 'google/mediapipe-hand-lite',
      title: 'MediaPipe Hand Landmarks (lite) with the handtrack.js detector',
      licence: 'Apache-2.0 (keypoints), MIT (detector)',
      runtime: 'bundled',
      bundled: {
        package: '@vladmandic/human',
        files: { detector: 'models/handtrack.json', landmarks: 'models/handlandmark-lite.json' },
      },
      contract: handCrops,
      evidence: [
        benchmarkResult(
          '100 pictures of coco-cobot-hands/test, one labelled hand each',
          'recall at IoU 0.5',
          89,
          {
            source: 'measured',
            note: 'IoU of the label with the box around the keypoints, default settings; hands with thumbs up, few others',
          },
        ),
      ],
    },
  ],
  by_use_case: {},
  rejected: [
    {
      id: 'rolpotamias/wilor',
      title: 'WiLoR',
      licence: 'CC-BY-NC-ND with MANO',
      reason: 'non-commercial use only and no derivatives; the hand model it needs has its own terms',
      evidence: [benchmarkResult('FreiHAND', 'PA-MPJPE', 5.5, { unit: 'mm' })],
    },
    {
      id: 'geopavlakos/hamer',
      title: 'HaMeR',
      licence: 'MANO terms',
      reason: 'the hand model it needs may not be used commercially',
      evidence: [benchmarkResult('FreiHAND', 'PA-MPJPE', 6.0, { unit: 'mm' })],
    },
  ],
};
