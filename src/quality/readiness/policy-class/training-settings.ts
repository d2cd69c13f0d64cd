import type { ActionGroup, ActionSpaceDiagnosis, PolicyClass } from '#core/api';
import { plain } from '../features/plain.ts';
import type { PolicyFacts } from './facts.ts';

type Diagnosed = Extract<ActionSpaceDiagnosis, { status: 'diagnosed' }>;

/** Seconds of motion that a chunk holds in the papers that brought the class up: 100 rows at 50 Hz, 16 at 10 Hz. */
const chunk_s: Partial<Record<PolicyClass, number>> = { act: 2, diffusion_policy: 1.6, vla_finetuning: 1 };
const normalisation: Partial<Record<PolicyClass, string>> = {
  act: 'normalise actions and states by mean and deviation of the training split',
  diffusion_policy: 'bring actions to −1..1 by the limits of the training split',
  vla_finetuning: 'normalise actions by the 1st and 99th percentile of the training split',
  bc_rnn: 'normalise actions and states by mean and deviation of the training split',
};

/** What to set when training a class on these actions, most important first. */
export function trainingSettings(policy: PolicyClass, facts: PolicyFacts): string[] {
  const { action_space, action_rate_hz } = facts;
  if (action_space.status !== 'diagnosed') return [];
  const lines = [storedLine(action_space)];
  const seconds = chunk_s[policy];
  if (seconds !== undefined && action_rate_hz !== null) {
    const rows = Math.max(2, Math.round(seconds * action_rate_hz));
    lines.push(
      `predict chunks of about ${rows} rows (${seconds} s at ${plain(action_rate_hz, 3)} Hz) and look again before half of one is played`,
    );
  }
  const how = normalisation[policy];
  if (how !== undefined) lines.push(how);
  for (const group of action_space.groups) lines.push(...groupLines(group, action_space));
  return lines;
}

function storedLine({ representation, conversions }: Diagnosed): string {
  if (representation === 'mixed') return 'bring all episodes to one representation first; they are not alike';
  if (representation === 'undetermined')
    return 'find out what the actions mean before training: the numbers do not tell';
  const relative = conversions.find(({ to, lossless }) => to === 'chunk_relative' && lossless);
  if (representation === 'absolute' && relative !== undefined)
    return `train on absolute targets as they are, and compare with chunk-relative ones (${relative.how}); the literature disagrees on which is better`;
  return representation === 'chunk_relative'
    ? 'keep the chunks as they were stored: other chunk lengths need the absolute targets back'
    : 'keep the changes as they are, and let the controller hold the target that they are summed on';
}

function groupLines(group: ActionGroup, { representation }: Diagnosed): string[] {
  const lines: string[] = [];
  if (group.units === 'scaled' && group.representation === 'step_delta' && group.gain !== null)
    lines.push(
      `keep the controller’s scale with the model: one unit of ${group.space} action moves the state by ${group.gain} in a row`,
    );
  if (group.space === 'gripper' && group.representation === 'absolute' && representation === 'step_delta')
    lines.push('leave the gripper absolute while the arm is given in changes');
  return lines;
}
