import { useCaseTitles } from '#core/titles';
import type { UseCaseRow } from './use-case.ts';

const noMotion = 'still images contain no motion and no commands; use a workspace for vision datasets';
const journeysWithoutArms = 'contains driving data without arms, grippers or objects';

export const roboticManipulation: UseCaseRow = {
  id: 'robotic-manipulation',
  title: useCaseTitles['robotic-manipulation'],
  summary:
    'Demonstrations of arms and grippers (teleoperated or kinesthetic) to train manipulation policies.',
  nouns: {
    recording: { one: 'recording', many: 'recordings' },
    episode: { one: 'demonstration', many: 'demonstrations' },
    machine: { one: 'robot', many: 'robots' },
    operator: { one: 'operator', many: 'operators' },
    task: { one: 'task', many: 'tasks' },
    outcome: { one: 'outcome', many: 'outcomes' },
  },
  expected_kinds: ['teleop', 'state-only', 'egocentric'],
  targets: {
    vla: {
      fit: 'recommended',
      reason: 'VLA models are fine-tuned on demonstrations with cameras, commands and instructions',
    },
    'behaviour-cloning': {
      fit: 'recommended',
      reason: 'the recordings contain the operator’s commands, and a single task needs few demonstrations',
    },
    'diffusion-policy': {
      fit: 'recommended',
      reason: 'it generates chunks of commands and can represent several ways to do a task',
    },
    'world-model': {
      fit: 'applicable',
      reason:
        'cameras and commands together show the effect of actions; this needs hours of data, not minutes',
    },
    'ssl-encoder': {
      fit: 'applicable',
      reason: 'frames are sufficient for training; the commands are unused',
    },
    detector: { fit: 'applicable', reason: 'objects in the frames can be labelled; the commands are unused' },
  },
  unfit_sources: {
    dataflash:
      'an ArduPilot log contains estimator and motor data of a vehicle, but no arm, gripper or objects',
    mavlink: 'a telemetry log contains estimator and motor data of vehicles, but no arm, gripper or objects',
    ulog: 'a PX4 log contains estimator and motor data of a vehicle, but no arm, gripper or objects',
    comma2k19: journeysWithoutArms,
    'kitti-raw': journeysWithoutArms,
    nuscenes: journeysWithoutArms,
    coco: noMotion,
    yolo: noMotion,
    pictures: noMotion,
  },
  unfit_exports: {},
  emphasis: [
    {
      check: 'action_state_agreement',
      weight_factor: 1.5,
      reason:
        'the policy imitates the commands; commands that the arm does not follow teach the wrong motion',
    },
    {
      check: 'gripper_activity',
      weight_factor: 1.5,
      reason: 'a manipulation demonstration without gripper motion is suspicious',
    },
    {
      check: 'gripper_consistency',
      weight_factor: 2,
      reason: 'one dimension decides every grasp; if it is inverted, all grasps fail',
    },
  ],
  capabilities: {
    hand_pose: { requested: false, reason: 'the joint states already give the hand position' },
    dense_text: {
      requested: false,
      reason: 'demonstrations come with an instruction; more text is generated on demand',
    },
  },
  presets: ['readiness-only', 'manipulation-qc', 'egocentric-full', 'world-model', 'everything'],
};

const journeysWithoutLimbs = 'contains driving data without limbs';

export const humanoidsMobile: UseCaseRow = {
  id: 'humanoids-mobile',
  title: useCaseTitles['humanoids-mobile'],
  summary:
    'Humanoids and mobile robots with many joints, hands and a mobile base, including human demonstrations.',
  nouns: {
    recording: { one: 'recording', many: 'recordings' },
    episode: { one: 'episode', many: 'episodes' },
    machine: { one: 'robot', many: 'robots' },
    operator: { one: 'teleoperator', many: 'teleoperators' },
    task: { one: 'task', many: 'tasks' },
    outcome: { one: 'outcome', many: 'outcomes' },
  },
  expected_kinds: ['teleop', 'egocentric', 'state-only'],
  targets: {
    vla: {
      fit: 'recommended',
      reason: 'VLA models are fine-tuned on many tasks of one robot, distinguished by instructions',
    },
    'behaviour-cloning': {
      fit: 'recommended',
      reason: 'chunks of whole-body commands can be imitated from few episodes of one task',
    },
    'diffusion-policy': {
      fit: 'applicable',
      reason: 'it handles many dimensions, but denoising may be too slow for balance control',
    },
    'world-model': {
      fit: 'applicable',
      reason: 'first-person video of a robot or a person, with commands if available',
    },
    'ssl-encoder': {
      fit: 'applicable',
      reason: 'frames are sufficient for training; the commands are unused',
    },
    detector: { fit: 'applicable', reason: 'objects in the frames can be labelled; the commands are unused' },
  },
  unfit_sources: {
    dataflash: 'an ArduPilot log contains estimator and motor data of a vehicle, but no limbs',
    mavlink: 'a telemetry log contains estimator and motor data of vehicles, but no limbs',
    ulog: 'a PX4 log contains estimator and motor data of a vehicle, but no limbs',
    comma2k19: journeysWithoutLimbs,
    'kitti-raw': journeysWithoutLimbs,
    nuscenes: journeysWithoutLimbs,
    coco: noMotion,
    yolo: noMotion,
    pictures: noMotion,
  },
  unfit_exports: {},
  emphasis: [
    {
      check: 'kinematic_sanity',
      weight_factor: 1.5,
      reason: 'one frozen or jumping joint among forty is easily overlooked and can make the robot fall',
    },
    {
      check: 'signal_sync',
      weight_factor: 1.5,
      reason: 'arms, hands, head and base use different boards with different clocks',
    },
    {
      check: 'action_state_agreement',
      weight_factor: 1.5,
      reason: 'retargeted motion may require unreachable poses',
    },
  ],
  capabilities: {
    hand_pose: { requested: true, reason: 'human hands in video are retargeted to the robot’s hands' },
    dense_text: {
      requested: false,
      reason: 'episodes come with an instruction; more text is generated on demand',
    },
  },
  presets: ['readiness-only', 'manipulation-qc', 'egocentric-full', 'world-model', 'everything'],
};
