import { useCaseTitles } from '#core/titles';
import type { UseCaseRow } from '../use-case.ts';

const noStamps =
  'its steps carry no times of capture, and a flight is judged by the times of its estimator and sensors';
const journeys = 'it holds car journeys, without altitude or attitude control';
const worn = 'it holds video of a camera that a person wears; nothing flies in it';
const handled = 'it records robots that handle objects; nothing flies in it';

export const dronesAerial: UseCaseRow = {
  id: 'drones-aerial',
  title: useCaseTitles['drones-aerial'],
  summary: 'Flights: autopilot logs with attitude, position and motors, with or without the camera’s video.',
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
      reason:
        'flight logs carry no instruction, and what moves the motors is the autopilot’s choice, not an answer to words',
    },
    'behaviour-cloning': {
      fit: 'applicable',
      reason:
        'only where the pilot’s sticks or setpoints were logged; a mission flown by waypoints holds none',
    },
    'diffusion-policy': {
      fit: 'unfit',
      reason: 'its replay buffer holds signals of one rate; an autopilot logs each topic at its own',
    },
    'world-model': {
      fit: 'recommended',
      reason: 'video with the attitude and velocity it was taken at shows how a scene changes with flight',
    },
    'ssl-encoder': {
      fit: 'applicable',
      reason:
        'views from above differ from what public encoders were trained on; the frames alone are enough',
    },
    detector: {
      fit: 'recommended',
      reason: 'people, vehicles and structures are found in pictures from above',
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
    'zarr-replay-buffer':
      'its arrays share one rate; an autopilot’s topics would have to be resampled to fit',
  },
  emphasis: [
    {
      check: 'timeline_integrity',
      weight_factor: 1.5,
      reason: 'loggers drop when the card is slow, often in the manoeuvre that matters',
    },
    {
      check: 'kinematic_sanity',
      weight_factor: 1.5,
      reason: 'estimator resets and saturated motors show as motion that no aircraft makes',
    },
    {
      check: 'signal_sync',
      weight_factor: 1.5,
      reason: 'turning at 100 °/s, 20 ms between gyroscope and camera are 2° in every frame',
    },
    {
      check: 'language_presence',
      weight_factor: 0.5,
      reason: 'flights are flown by missions, not by sentences',
    },
    { check: 'language_quality', weight_factor: 0.5, reason: 'as for their presence' },
  ],
  capabilities: {
    hand_pose: { requested: false, reason: 'hands are a few pixels from the air' },
    dense_text: { requested: false, reason: 'a flight is searched by its objects and its motion' },
  },
  presets: ['readiness-only', 'world-model', 'everything'],
};
