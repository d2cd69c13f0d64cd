import { useCaseTitles } from '#core/titles';
import type { UseCaseRow } from '../use-case.ts';

const noCommands = 'pictures hold no commands, so there is nothing to imitate';
const robotData =
  'its pictures are frames of episodes with signals that would go unjudged; take a workspace for the machine that recorded it';

export const visionDatasets: UseCaseRow = {
  id: 'vision-datasets',
  title: useCaseTitles['vision-datasets'],
  summary: 'Still pictures and clips, labelled or not, to train models that see.',
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
    vla: { fit: 'unfit', reason: noCommands },
    'behaviour-cloning': { fit: 'unfit', reason: noCommands },
    'diffusion-policy': { fit: 'unfit', reason: noCommands },
    'world-model': {
      fit: 'unfit',
      reason:
        'still pictures hold no change to predict; a workspace for spatial and world models takes video',
    },
    'ssl-encoder': { fit: 'recommended', reason: 'it learns from pictures without labels' },
    detector: { fit: 'recommended', reason: 'boxes and categories on pictures are what it learns from' },
  },
  unfit_sources: {
    lerobot: robotData,
    mcap: robotData,
    rosbag: robotData,
    rosbag2: robotData,
    dataflash: 'an ArduPilot log holds no pictures',
    ulog: 'a PX4 log holds no pictures',
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
    'lerobot-v3': 'its rows are steps of a robot in time; pictures have neither',
    'lerobot-v2.1': 'its rows are steps of a robot in time; pictures have neither',
    mcap: 'its messages lie in time; pictures do not',
    'zarr-replay-buffer': 'it is replayed step by step; pictures have no order in time',
  },
  emphasis: [
    {
      check: 'image_integrity',
      weight_factor: 2,
      reason: 'the picture is all there is: a broken, black or blurred one is lost',
    },
    {
      check: 'annotation_coverage',
      weight_factor: 2,
      reason: 'a detector learns unlabelled objects as background, and boxes outside the picture as noise',
    },
  ],
  capabilities: {
    hand_pose: { requested: false, reason: 'few picture sets are about hands; it is made on demand' },
    dense_text: { requested: false, reason: 'a still picture has no course of events to tell' },
  },
  presets: ['readiness-only', 'everything'],
};
