import { useCaseTitles } from '#core/titles';
import type { UseCaseRow } from '../use-case.ts';

const noStamps =
  'its steps have no capture times, and flight data needs the timestamps of estimator and sensors';
const journeys = 'contains driving data without altitude or attitude control';
const worn = 'contains video of a body-worn camera, not of an aircraft';
const handled = 'contains robot manipulation, not flights';

export const dronesAerial: UseCaseRow = {
  id: 'drones-aerial',
  title: useCaseTitles['drones-aerial'],
  summary: 'Flight logs of autopilots with attitude, position and motors, with or without camera video.',
  nouns: {
    recording: { one: 'flight log', many: 'flight logs' },
    episode: { one: 'flight', many: 'flights' },
    machine: { one: 'aircraft', many: 'aircraft' },
    operator: { one: 'pilot', many: 'pilots' },
    task: { one: 'mission', many: 'missions' },
    outcome: { one: 'outcome', many: 'outcomes' },
  },
  expected_kinds: ['aerial-flight', 'vision-asset'],
  targets: {
    vla: {
      fit: 'unfit',
      reason: 'flight logs have no instructions, and the motors follow the autopilot, not a text',
    },
    'behaviour-cloning': {
      fit: 'applicable',
      reason: 'only if the pilot’s stick inputs or setpoints were logged; waypoint missions have none',
    },
    'diffusion-policy': {
      fit: 'unfit',
      reason: 'its replay buffer has a single rate, but an autopilot logs each topic at its own rate',
    },
    'world-model': {
      fit: 'recommended',
      reason: 'video with attitude and velocity shows how a scene changes during flight',
    },
    'ssl-encoder': {
      fit: 'applicable',
      reason: 'aerial views differ from the training data of public encoders; frames are sufficient',
    },
    detector: {
      fit: 'recommended',
      reason: 'aerial images show people, vehicles and structures',
    },
  },
  unfit_sources: {
    comma2k19: journeys,
    'kitti-raw': journeys,
    nuscenes: journeys,
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
    'zarr-replay-buffer': 'its arrays share one rate; the autopilot’s topics would have to be resampled',
  },
  emphasis: [
    {
      check: 'timeline_integrity',
      weight_factor: 1.5,
      reason: 'loggers drop data when the card is slow, often during demanding manoeuvres',
    },
    {
      check: 'kinematic_sanity',
      weight_factor: 1.5,
      reason: 'estimator resets and saturated motors appear as implausible motion',
    },
    {
      check: 'signal_sync',
      weight_factor: 1.5,
      reason: 'at 100 °/s, 20 ms between gyroscope and camera are an error of 2° in every frame',
    },
    {
      check: 'language_presence',
      weight_factor: 0.5,
      reason: 'flights follow missions, not text instructions',
    },
    { check: 'language_quality', weight_factor: 0.5, reason: 'see instruction presence' },
  ],
  capabilities: {
    hand_pose: { requested: false, reason: 'hands are only a few pixels in aerial images' },
    dense_text: { requested: false, reason: 'flights are searched by objects and motion' },
  },
  presets: ['readiness-only', 'world-model', 'everything'],
};
