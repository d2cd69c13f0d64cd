import { useCaseTitles } from '#core/titles';
import type { UseCaseRow } from '../use-case.ts';

const noMotion = 'still pictures hold no motion and no command; a workspace for vision datasets takes them';
const journeys = 'it holds car journeys; there are no limbs in it';

export const humanoidsMobile: UseCaseRow = {
  id: 'humanoids-mobile',
  title: useCaseTitles['humanoids-mobile'],
  summary:
    'Whole-body and mobile robots: many joints, hands, a moving base, and people’s own hands as a teacher.',
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
      reason: 'many tasks on one body told apart by words are what such a model is fine-tuned on',
    },
    'behaviour-cloning': {
      fit: 'recommended',
      reason: 'chunks of whole-body commands can be imitated from few episodes of one task',
    },
    'diffusion-policy': {
      fit: 'applicable',
      reason: 'it copes with many dimensions; each step of denoising costs time that balance may not leave',
    },
    'world-model': {
      fit: 'applicable',
      reason: 'first-person video, the robot’s or a person’s, with commands where there are any',
    },
    'ssl-encoder': {
      fit: 'applicable',
      reason: 'the frames can be learnt from alone; the commands go unused',
    },
    detector: { fit: 'applicable', reason: 'objects in the frames can be labelled; the commands go unused' },
  },
  unfit_sources: {
    dataflash: 'an ArduPilot log holds a vehicle’s estimator and motors; there are no limbs in it',
    ulog: 'a PX4 log holds a vehicle’s estimator and motors; there are no limbs in it',
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
      check: 'kinematic_sanity',
      weight_factor: 1.5,
      reason: 'of forty joints one that froze or jumps is easily overlooked, and fells the robot',
    },
    {
      check: 'signal_sync',
      weight_factor: 1.5,
      reason: 'arms, hands, head and base come from different boards with different clocks',
    },
    {
      check: 'action_state_agreement',
      weight_factor: 1.5,
      reason: 'retargeted motion asks for poses that the body may not reach',
    },
  ],
  capabilities: {
    hand_pose: { requested: true, reason: 'people’s hands on video are retargeted to the robot’s' },
    dense_text: {
      requested: false,
      reason: 'episodes come with an instruction; more text is made on demand',
    },
  },
  presets: ['readiness-only', 'manipulation-qc', 'egocentric-full', 'world-model', 'everything'],
};
