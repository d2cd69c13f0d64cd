import { useCaseTitles } from '#core/titles';
import type { UseCaseRow } from './use-case.ts';

const unsynchronizedSteps = 'its steps have no capture times, and driving data needs synchronized sensors';
const notVehicleVideo = 'contains video of a body-worn camera, not of a vehicle';
const notDriving = 'contains robot manipulation, not driving';

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
    mavlink: 'contains messages of an autopilot, not the bus of a road vehicle',
    ulog: 'contains estimator and motor data of an aircraft or rover with PX4, not the bus of a road vehicle',
    'epic-kitchens': notVehicleVideo,
    ego4d: notVehicleVideo,
    droid: notDriving,
    'bridge-raw': notDriving,
    agibot: notDriving,
    hdf5: unsynchronizedSteps,
    rlds: unsynchronizedSteps,
    zarr: unsynchronizedSteps,
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

const flightWithoutStamps =
  'its steps have no capture times, and flight data needs the timestamps of estimator and sensors';
const notAerial = 'contains driving data without altitude or attitude control';
const notAircraftVideo = 'contains video of a body-worn camera, not of an aircraft';
const notFlights = 'contains robot manipulation, not flights';

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
    comma2k19: notAerial,
    'kitti-raw': notAerial,
    nuscenes: notAerial,
    'epic-kitchens': notAircraftVideo,
    ego4d: notAircraftVideo,
    droid: notFlights,
    'bridge-raw': notFlights,
    agibot: notFlights,
    hdf5: flightWithoutStamps,
    rlds: flightWithoutStamps,
    zarr: flightWithoutStamps,
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
