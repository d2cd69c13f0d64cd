import { useCaseTitles } from '#core/titles';
import type { UseCaseRow } from '../use-case.ts';

const noStamps =
  'its steps carry no times of capture, and a drive is judged by how its sensors line up in time';
const worn = 'it holds video of a camera that a person wears; there is no vehicle in it';
const handled = 'it records robots that handle objects; there is no vehicle in it';

export const autonomousDriving: UseCaseRow = {
  id: 'autonomous-driving',
  title: useCaseTitles['autonomous-driving'],
  summary: 'Logs of cars and other road vehicles: cameras, lidar, CAN and position, each at its own rate.',
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
      reason: 'only where the logs carry what the driver was told, as L2D does; most drive logs do not',
    },
    'behaviour-cloning': {
      fit: 'applicable',
      reason: 'steering and pedals on CAN can be imitated; logs without them hold no command',
    },
    'diffusion-policy': {
      fit: 'unfit',
      reason: 'its replay buffer holds signals of one rate; a vehicle’s sensors have many',
    },
    'world-model': {
      fit: 'recommended',
      reason: 'hours of forward video with the vehicle’s own motion show how a road scene goes on',
    },
    'ssl-encoder': {
      fit: 'applicable',
      reason: 'the frames can be learnt from alone; the signals go unused',
    },
    detector: {
      fit: 'recommended',
      reason: 'road users are found in pictures, and the logs hold many views of each',
    },
  },
  unfit_sources: {
    dataflash:
      'it holds the estimator and motors of an aircraft or rover under ArduPilot, not a road vehicle’s bus',
    ulog: 'it holds the estimator and motors of an aircraft or rover under PX4, not a road vehicle’s bus',
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
    'zarr-replay-buffer':
      'its arrays share one rate; camera, CAN and position would have to be resampled to fit',
  },
  emphasis: [
    {
      check: 'signal_sync',
      weight_factor: 2,
      reason: 'fusion stands on clocks that agree: at 30 m/s, 10 ms are 0.3 m',
    },
    {
      check: 'timeline_integrity',
      weight_factor: 1.5,
      reason: 'a hole in the log is road that nobody recorded',
    },
    {
      check: 'camera_coverage',
      weight_factor: 1.5,
      reason: 'one blind camera is a blind side of the vehicle',
    },
    {
      check: 'language_presence',
      weight_factor: 0.5,
      reason: 'few drive logs carry instructions, and detectors and world models do without',
    },
    { check: 'language_quality', weight_factor: 0.5, reason: 'as for their presence' },
  ],
  capabilities: {
    hand_pose: { requested: false, reason: 'no hands are seen on the road' },
    dense_text: { requested: false, reason: 'a drive is searched by its objects and its motion' },
  },
  presets: ['readiness-only', 'drive-log-lite', 'everything'],
};
