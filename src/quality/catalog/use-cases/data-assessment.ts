import { exportFormatIds } from '#core/api/bounds';
import { useCaseTitles } from '#core/titles';
import type { UseCaseRow } from '../use-case.ts';

const sealed =
  'an assessment seals evidence and copies no training data; give the workspace another use case to export';
const anyTarget = (reason: string) => ({ fit: 'applicable', reason }) as const;

export const dataAssessment: UseCaseRow = {
  id: 'data-assessment',
  title: useCaseTitles['data-assessment'],
  summary:
    'Deliveries of any recordings, held against a named target under a policy and reported with evidence.',
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
    vla: anyTarget('assessed for cameras, commands and instructions that belong together'),
    'behaviour-cloning': anyTarget('assessed for commands that the robot followed'),
    'diffusion-policy': anyTarget('assessed for commands that the robot followed, at one rate'),
    'world-model': anyTarget('assessed for video without holes and repeats'),
    'ssl-encoder': anyTarget('assessed for pictures that show something'),
    detector: anyTarget('assessed for pictures and their labels'),
  },
  unfit_sources: {},
  unfit_exports: Object.fromEntries(exportFormatIds.map((id) => [id, sealed])),
  // Empty: assessments use the published weights, the same for every buyer.
  emphasis: [],
  capabilities: {
    hand_pose: { requested: false, reason: 'an assessment judges what was delivered and adds nothing to it' },
    dense_text: {
      requested: false,
      reason: 'an assessment judges what was delivered and adds nothing to it',
    },
  },
  presets: ['readiness-only', 'everything'],
};
