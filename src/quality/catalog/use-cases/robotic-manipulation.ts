import { useCaseTitles } from '#core/titles';
import type { UseCaseRow } from '../use-case.ts';

const noMotion = 'still pictures hold no motion and no command; a workspace for vision datasets takes them';
const journeys = 'it holds car journeys; there is no arm, gripper or object in it';

export const roboticManipulation: UseCaseRow = {
  id: 'robotic-manipulation',
  title: useCaseTitles['robotic-manipulation'],
  summary:
    'Demonstrations of arms and grippers, teleoperated or led by hand, to train policies that act on objects.',
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
      reason: 'demonstrations with cameras, commands and instructions are what such a model is fine-tuned on',
    },
    'behaviour-cloning': {
      fit: 'recommended',
      reason: 'the operator’s commands are there to be imitated, and one task needs few demonstrations',
    },
    'diffusion-policy': {
      fit: 'recommended',
      reason: 'it draws whole chunks of commands and keeps apart the several ways a task was done',
    },
    'world-model': {
      fit: 'applicable',
      reason:
        'cameras and commands together show what an action leads to; it takes hours rather than minutes of them',
    },
    'ssl-encoder': {
      fit: 'applicable',
      reason: 'the frames can be learnt from alone; the commands go unused',
    },
    detector: { fit: 'applicable', reason: 'objects in the frames can be labelled; the commands go unused' },
  },
  unfit_sources: {
    dataflash:
      'an ArduPilot log holds a vehicle’s estimator and motors; there is no arm, gripper or object in it',
    ulog: 'a PX4 log holds a vehicle’s estimator and motors; there is no arm, gripper or object in it',
    comma2k19: journeys,
    'kitti-raw': journeys,
    nuscenes: journeys,
    coco: noMotion,
    yolo: noMotion,
    pictures: noMotion,
  },
  unfit_exports: {},
  emphasis: [
    {
      check: 'action_state_agreement',
      weight_factor: 1.5,
      reason: 'what is imitated is the command; one that the arm does not follow teaches the wrong motion',
    },
    {
      check: 'gripper_activity',
      weight_factor: 1.5,
      reason: 'a demonstration of handling in which no gripper moves handles nothing',
    },
    {
      check: 'gripper_consistency',
      weight_factor: 2,
      reason: 'one dimension decides every grasp; turned round, it fails them all',
    },
  ],
  capabilities: {
    hand_pose: { requested: false, reason: 'the robot’s own joints say where its hand is' },
    dense_text: {
      requested: false,
      reason: 'demonstrations come with an instruction; more text is made on demand',
    },
  },
  presets: ['readiness-only', 'manipulation-qc', 'egocentric-full', 'world-model', 'everything'],
};
