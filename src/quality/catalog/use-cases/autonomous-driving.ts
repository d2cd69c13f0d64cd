import { useCaseTitles } from '#core/titles';
import type { UseCaseRow } from '../use-case.ts';

const noStamps = 'its steps have no capture times, and driving data needs synchronized sensors';
const worn = 'contains video of a body-worn camera, not of a vehicle';
const handled = 'contains robot manipulation, not driving';

export const autonomousDriving: UseCaseRow = {
  id: 'autonomous-driving',
  title: useCaseTitles['autonomous-driving'],
  summary: 'Logs of cars and other road vehicles: cameras, lidar, CAN and position at different rates.',
  nouns: {
    recording: { one: 'drive log', many: 'drive logs' },
    episode: { one: 'segment', many: 'segments' },
    machine: { one: 'vehicle', many: 'vehicles' },
    operator: { one: 'driver', many: 'drivers' },
    task: { one: 'scenario', many: 'scenarios' },
    outcome: { one: 'outcome', many: 'outcomes' },
  },
  expected_kinds: ['drive-log', 'vision-asset'],
  targets: {
    vla: {
      fit: 'applicable',
      reason: 'only if the logs contain navigation instructions, as in L2D; most drive logs do not',
    },
    'behaviour-cloning': {
      fit: 'applicable',
      reason: 'steering and pedals on CAN can be imitated; logs without them contain no commands',
    },
    'diffusion-policy': {
      fit: 'unfit',
      reason: 'its replay buffer has a single rate, but vehicle sensors have several',
    },
    'world-model': {
      fit: 'recommended',
      reason: 'hours of forward video with ego-motion show how road scenes evolve',
    },
    'ssl-encoder': {
      fit: 'applicable',
      reason: 'frames are sufficient for training; the signals are unused',
    },
    detector: {
      fit: 'recommended',
      reason: 'road users appear in the images, with many views of each',
    },
  },
  unfit_sources: {
    dataflash:
      'contains estimator and motor data of an aircraft or rover with ArduPilot, not the bus of a road vehicle',
    ulog: 'contains estimator and motor data of an aircraft or rover with PX4, not the bus of a road vehicle',
    'epic-kitchens': worn,
    ego4d: worn,
    droid: handled,
    'bridge-raw': handled,
    agibot: handled,
    hdf5: noStamps,
    rlds: noStamps,
    zarr: noStamps,
  },
  unfit_exports: {
    'zarr-replay-buffer': 'its arrays share one rate; camera, CAN and position would have to be resampled',
  },
  emphasis: [
    {
      check: 'signal_sync',
      weight_factor: 2,
      reason: 'sensor fusion needs synchronized clocks: at 30 m/s, 10 ms are 0.3 m',
    },
    {
      check: 'timeline_integrity',
      weight_factor: 1.5,
      reason: 'a gap in the log is road that was not recorded',
    },
    {
      check: 'camera_coverage',
      weight_factor: 1.5,
      reason: 'a failed camera leaves one side of the vehicle blind',
    },
    {
      check: 'language_presence',
      weight_factor: 0.5,
      reason: 'few drive logs have instructions, and detectors and world models do not need them',
    },
    { check: 'language_quality', weight_factor: 0.5, reason: 'see instruction presence' },
  ],
  capabilities: {
    hand_pose: { requested: false, reason: 'road scenes show no hands' },
    dense_text: { requested: false, reason: 'drives are searched by objects and motion' },
  },
  presets: ['readiness-only', 'drive-log-lite', 'everything'],
};
