import { exportFormatIds } from '#core/api/bounds';
import { useCaseTitles } from '#core/titles';
import type { UseCaseRow } from './use-case.ts';

const sealed =
  'an assessment signs evidence and exports no training data; change the use case of the workspace to export';
const anyTarget = (reason: string) => ({ fit: 'applicable', reason }) as const;

export const dataAssessment: UseCaseRow = {
  id: 'data-assessment',
  title: useCaseTitles['data-assessment'],
  summary:
    'Assessment of delivered recordings of any kind against a training target and a policy, with signed evidence.',
  nouns: {
    recording: { one: 'delivery', many: 'deliveries' },
    episode: { one: 'episode', many: 'episodes' },
    machine: { one: 'device', many: 'devices' },
    operator: { one: 'collector', many: 'collectors' },
    task: { one: 'task', many: 'tasks' },
    outcome: { one: 'outcome', many: 'outcomes' },
  },
  expected_kinds: ['teleop', 'egocentric', 'drive-log', 'aerial-flight', 'state-only', 'vision-asset'],
  targets: {
    vla: anyTarget('checks that cameras, commands and instructions match'),
    'behaviour-cloning': anyTarget('checks that the robot followed its commands'),
    'diffusion-policy': anyTarget('checks that the robot followed its commands, at a fixed rate'),
    'world-model': anyTarget('checks for video without gaps and repeated frames'),
    'ssl-encoder': anyTarget('checks for usable images'),
    detector: anyTarget('checks images and their labels'),
  },
  unfit_sources: {},
  unfit_exports: Object.fromEntries(exportFormatIds.map((id) => [id, sealed])),
  // Empty: assessments use the published weights, the same for every buyer.
  emphasis: [],
  capabilities: {
    hand_pose: {
      requested: false,
      reason: 'an assessment evaluates the delivered data and adds nothing to it',
    },
    dense_text: {
      requested: false,
      reason: 'an assessment evaluates the delivered data and adds nothing to it',
    },
  },
  presets: ['readiness-only', 'everything'],
};
