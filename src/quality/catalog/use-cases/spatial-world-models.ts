import { useCaseTitles } from '#core/titles';
import type { UseCaseRow } from '../use-case.ts';

const noCommands =
  'scene captures contain no operator commands; use a workspace for manipulation or humanoids for demonstrations';
const unrelated = 'its images are unrelated views with boxes, without a temporal connection';

export const spatialWorldModels: UseCaseRow = {
  id: 'spatial-world-models',
  title: useCaseTitles['spatial-world-models'],
  summary: 'Video with camera poses, to reconstruct scenes and predict future frames.',
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
      reason: 'prediction is learnt from long video with poses, and actions if available',
    },
    'ssl-encoder': {
      fit: 'recommended',
      reason: 'consecutive frames show one scene, from which video encoders learn without labels',
    },
    detector: {
      fit: 'applicable',
      reason: 'objects in the frames can be labelled; temporal order and poses are unused',
    },
  },
  unfit_sources: {
    dataflash: 'an ArduPilot log contains no images of a scene to reconstruct or predict',
    ulog: 'a PX4 log contains no images of a scene to reconstruct or predict',
    coco: unrelated,
    yolo: unrelated,
  },
  unfit_exports: {},
  emphasis: [
    {
      check: 'camera_coverage',
      weight_factor: 1.5,
      reason: 'a frozen or failed camera teaches that the world is frozen',
    },
    {
      check: 'image_integrity',
      weight_factor: 1.5,
      reason: 'blur and bad exposure directly degrade reconstruction and prediction',
    },
    {
      check: 'signal_sync',
      weight_factor: 1.5,
      reason: 'geometry needs image and pose of the same moment',
    },
  ],
  capabilities: {
    hand_pose: { requested: false, reason: 'hands are a minor part of scenes; generated on demand' },
    dense_text: {
      requested: true,
      reason: 'text-conditioned prediction is trained on descriptions in temporal order',
    },
  },
  presets: ['readiness-only', 'egocentric-full', 'world-model', 'everything'],
};
