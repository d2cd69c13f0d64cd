import { useCaseTitles } from '#core/titles';
import type { UseCaseRow } from '../use-case.ts';

const noCommands =
  'captures of places are made without an operator’s commands; a workspace for manipulation or humanoids takes demonstrations';
const unrelated = 'its pictures are unrelated views with boxes; nothing connects one to the next';

export const spatialWorldModels: UseCaseRow = {
  id: 'spatial-world-models',
  title: useCaseTitles['spatial-world-models'],
  summary: 'Video and pose of places and events, to reconstruct scenes and to predict what comes next.',
  nouns: {
    recording: { one: 'capture', many: 'captures' },
    episode: { one: 'sequence', many: 'sequences' },
    machine: { one: 'rig', many: 'rigs' },
    operator: { one: 'camera operator', many: 'camera operators' },
    task: { one: 'scene', many: 'scenes' },
    outcome: { one: 'outcome', many: 'outcomes' },
  },
  expected_kinds: ['egocentric', 'teleop', 'drive-log', 'aerial-flight'],
  targets: {
    vla: { fit: 'unfit', reason: noCommands },
    'behaviour-cloning': { fit: 'unfit', reason: noCommands },
    'diffusion-policy': { fit: 'unfit', reason: noCommands },
    'world-model': {
      fit: 'recommended',
      reason: 'long video with pose, and actions where there are any, is what prediction is learnt from',
    },
    'ssl-encoder': {
      fit: 'recommended',
      reason: 'neighbouring frames are views of one scene, which video encoders learn from without labels',
    },
    detector: {
      fit: 'applicable',
      reason: 'objects in the frames can be labelled; order and pose go unused',
    },
  },
  unfit_sources: {
    dataflash: 'an ArduPilot log holds no pictures: there is no scene to reconstruct or predict',
    ulog: 'a PX4 log holds no pictures: there is no scene to reconstruct or predict',
    coco: unrelated,
    yolo: unrelated,
  },
  unfit_exports: {},
  emphasis: [
    {
      check: 'camera_coverage',
      weight_factor: 1.5,
      reason: 'a camera that stood still or fell out teaches that the world does',
    },
    {
      check: 'image_integrity',
      weight_factor: 1.5,
      reason: 'blur and wrong exposure go straight into what is reconstructed and predicted',
    },
    {
      check: 'signal_sync',
      weight_factor: 1.5,
      reason: 'geometry is read from picture and pose of one moment',
    },
  ],
  capabilities: {
    hand_pose: { requested: false, reason: 'scenes are more than the hands in them; it is made on demand' },
    dense_text: {
      requested: true,
      reason: 'text-conditioned prediction is trained on what happens, told in order',
    },
  },
  presets: ['readiness-only', 'egocentric-full', 'world-model', 'everything'],
};
