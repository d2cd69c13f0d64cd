import { useCaseTitles } from '#core/titles';
import type { UseCaseRow } from './use-case.ts';

const noCommandsToImitate = 'images contain no commands to imitate';
const robotData =
  'its images are frames of episodes whose signals would not be evaluated; use a workspace for the robot that recorded it';

export const visionDatasets: UseCaseRow = {
  id: 'vision-datasets',
  title: useCaseTitles['vision-datasets'],
  summary: 'Still images and clips, with or without labels, to train vision models.',
  nouns: {
    recording: { one: 'image set', many: 'image sets' },
    episode: { one: 'image', many: 'images' },
    machine: { one: 'camera', many: 'cameras' },
    operator: { one: 'labeller', many: 'labellers' },
    task: { one: 'label set', many: 'label sets' },
    outcome: { one: 'label', many: 'labels' },
  },
  expected_kinds: ['vision-asset', 'egocentric'],
  targets: {
    vla: { fit: 'unfit', reason: noCommandsToImitate },
    'behaviour-cloning': { fit: 'unfit', reason: noCommandsToImitate },
    'diffusion-policy': { fit: 'unfit', reason: noCommandsToImitate },
    'world-model': {
      fit: 'unfit',
      reason:
        'still images contain no changes to predict; use a workspace for spatial and world models for video',
    },
    'ssl-encoder': { fit: 'recommended', reason: 'it learns from images without labels' },
    detector: { fit: 'recommended', reason: 'it learns from boxes and categories in images' },
  },
  unfit_sources: {
    lerobot: robotData,
    mcap: robotData,
    rosbag: robotData,
    rosbag2: robotData,
    dataflash: 'an ArduPilot log contains no images',
    mavlink: 'a telemetry log contains no images',
    ulog: 'a PX4 log contains no images',
    droid: robotData,
    'bridge-raw': robotData,
    agibot: robotData,
    hdf5: robotData,
    rlds: robotData,
    zarr: robotData,
    comma2k19: robotData,
    'kitti-raw': robotData,
    nuscenes: robotData,
  },
  unfit_exports: {
    'lerobot-v3': 'its rows are time steps of a robot, which images do not have',
    'lerobot-v2.1': 'its rows are time steps of a robot, which images do not have',
    mcap: 'its messages have timestamps, which images do not have',
    'zarr-replay-buffer': 'it is replayed step by step, but images have no temporal order',
  },
  emphasis: [
    {
      check: 'image_integrity',
      weight_factor: 2,
      reason: 'the image is all the data there is: a broken, black or blurred image is useless',
    },
    {
      check: 'annotation_coverage',
      weight_factor: 2,
      reason: 'a detector learns unlabelled objects as background, and boxes outside the image as noise',
    },
  ],
  capabilities: {
    hand_pose: { requested: false, reason: 'few image datasets show hands; generated on demand' },
    dense_text: { requested: false, reason: 'a still image has no sequence of events to describe' },
  },
  presets: ['readiness-only', 'everything'],
};

const noCommandsToPredict =
  'scene captures contain no operator commands; use a workspace for manipulation or humanoids for demonstrations';
const unrelatedViews = 'its images are unrelated views with boxes, without a temporal connection';

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
    vla: { fit: 'unfit', reason: noCommandsToPredict },
    'behaviour-cloning': { fit: 'unfit', reason: noCommandsToPredict },
    'diffusion-policy': { fit: 'unfit', reason: noCommandsToPredict },
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
    mavlink: 'a telemetry log contains no images of a scene to reconstruct or predict',
    ulog: 'a PX4 log contains no images of a scene to reconstruct or predict',
    coco: unrelatedViews,
    yolo: unrelatedViews,
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
