import type { ActionSpaceDiagnosis, PolicyClass, Representation, TargetProfileId } from '#core/api';
import { roundFinite } from '../features/numeric.ts';

/** A reason for (positive points) or against a policy class. */
interface PolicyPoint {
  readonly points: number;
  readonly why: string;
}

/** Scoring rules of one policy class. */
export interface PolicyRow {
  readonly policy_class: PolicyClass;
  readonly title: string;
  /** Returns the reason why the class cannot be trained on the data; `null` if it can. */
  readonly impossible: (facts: PolicyFacts) => string | null;
  readonly points: (facts: PolicyFacts) => readonly (PolicyPoint | null)[];
}

const pointIf = (condition: boolean, points: number, why: string): PolicyPoint | null =>
  condition ? { points, why } : null;

function storedRepresentation({ action_space }: PolicyFacts): Representation | null {
  if (action_space.status !== 'diagnosed') return null;
  const { representation } = action_space;
  return representation === 'mixed' || representation === 'undetermined' ? null : representation;
}

const formatTaskCount = ({ tasks }: PolicyFacts): string =>
  tasks === 1 ? '1 task text' : `${tasks} task texts`;
const actionRate_hz = ({ action_rate_hz }: PolicyFacts): number => action_rate_hz ?? 0;
const formatRate = (facts: PolicyFacts): string => `${roundFinite(actionRate_hz(facts), 3)} Hz`;
const missingActionsReason = ({ action_space }: PolicyFacts): string | null =>
  action_space.status === 'diagnosed' ? null : action_space.reason;

export const act: PolicyRow = {
  policy_class: 'act',
  title: 'Action chunking with transformers (ACT)',
  impossible: missingActionsReason,
  points: (facts) => [
    pointIf(
      facts.tasks <= 3,
      1,
      `${formatTaskCount(facts)}: it learns one task, or a few, without reading them`,
    ),
    pointIf(facts.tasks > 10, -1, `${formatTaskCount(facts)}, and it does not read them`),
    pointIf(
      facts.episodes >= 20 && facts.episodes < 100,
      1,
      `${facts.episodes} episodes: it was shown to work with 50 of a task`,
    ),
    pointIf(
      actionRate_hz(facts) >= 30,
      1,
      `${formatRate(facts)}: chunks shorten the horizon over which errors add up`,
    ),
    pointIf(storedRepresentation(facts) === 'absolute', 1, 'absolute targets are what it was built on'),
    pointIf(
      storedRepresentation(facts) === 'step_delta',
      -1,
      'summed changes drift over a chunk that is played without looking',
    ),
    pointIf(facts.cameras === 0, -1, 'no camera: it was built to look'),
    pointIf(facts.target_profile === 'behaviour-cloning', 1, 'the project’s target is behaviour cloning'),
  ],
};

export const diffusion: PolicyRow = {
  policy_class: 'diffusion_policy',
  title: 'Diffusion policy',
  impossible: missingActionsReason,
  points: (facts) => [
    pointIf(
      facts.tasks <= 3,
      1,
      `${formatTaskCount(facts)}: it learns one task, or a few, without reading them`,
    ),
    pointIf(facts.tasks > 10, -1, `${formatTaskCount(facts)}, and it does not read them`),
    pointIf(
      facts.episodes >= 50,
      1,
      `${facts.episodes} episodes: enough of them to learn a distribution from`,
    ),
    pointIf(facts.episodes < 20, -1, `${facts.episodes} episodes are few to learn a distribution from`),
    pointIf(storedRepresentation(facts) === 'absolute', 1, 'absolute targets suit it better than velocities'),
    pointIf(
      storedRepresentation(facts) === 'chunk_relative',
      1,
      'chunk-relative trajectories are what UMI trains it on',
    ),
    pointIf(
      actionRate_hz(facts) >= 50,
      -1,
      `${formatRate(facts)}: every step of denoising costs time that control does not have`,
    ),
    pointIf(facts.target_profile === 'diffusion-policy', 1, 'the project’s target is a diffusion policy'),
  ],
};

export const vlaFinetuning: PolicyRow = {
  policy_class: 'vla_finetuning',
  title: 'Fine-tuning a vision-language-action model with action chunks',
  impossible: (facts) => {
    if (facts.cameras === 0) return 'no camera: such a model acts on what it sees';
    if (facts.instructed_share < 0.5)
      return `${roundFinite(100 * facts.instructed_share, 2)} % of the episodes say what is done: it cannot be told`;
    return missingActionsReason(facts);
  },
  points: (facts) => [
    pointIf(facts.tasks >= 10, 3, `${facts.tasks} task texts tell many tasks apart`),
    pointIf(facts.tasks > 3 && facts.tasks < 10, 1, `${facts.tasks} task texts tell tasks apart`),
    pointIf(facts.tasks <= 1, -2, 'one text for everything: the model learns to ignore it'),
    pointIf(facts.cameras >= 2, 1, `${facts.cameras} cameras, as pretrained on`),
    pointIf(facts.target_profile === 'vla', 1, 'the project’s target is a VLA'),
  ],
};

export const bcRnn: PolicyRow = {
  policy_class: 'bc_rnn',
  title: 'Behaviour cloning with a recurrent network (BC-RNN)',
  impossible: (facts) =>
    facts.has_state ? missingActionsReason(facts) : 'no state: it acts on where the robot is',
  points: (facts) => [
    pointIf(facts.cameras === 0, 2, 'no camera: the state is little enough for a small network'),
    pointIf(facts.cameras > 0, -1, 'chunking policies have overtaken it where pictures are looked at'),
    pointIf(
      actionRate_hz(facts) > 0 && actionRate_hz(facts) <= 20,
      1,
      `${formatRate(facts)}: few enough steps for answers one by one`,
    ),
    pointIf(actionRate_hz(facts) >= 30, -1, `${formatRate(facts)}: answers one by one let errors add up`),
    pointIf(
      storedRepresentation(facts) === 'step_delta',
      1,
      'changes from step to step are what it was studied with',
    ),
    pointIf(facts.target_profile === 'behaviour-cloning', 1, 'the project’s target is behaviour cloning'),
  ],
};

const formatHours = ({ hours }: PolicyFacts): string => `${roundFinite(hours, 2)} hours`;

export const actionWorldModel: PolicyRow = {
  policy_class: 'action_conditioned_world_model',
  title: 'World model conditioned on actions',
  impossible: (facts) =>
    facts.cameras === 0 ? 'no camera: there is nothing to predict' : missingActionsReason(facts),
  points: (facts) => [
    { points: 2, why: 'actions beside the video tell what is done, so the model can be planned with' },
    pointIf(
      facts.hours < 1,
      -1,
      `${formatHours(facts)}: enough to adapt a pretrained video model, not to train one`,
    ),
    pointIf(facts.hours >= 10, 1, `${formatHours(facts)} of it`),
    pointIf(
      storedRepresentation(facts) === null,
      -1,
      'what the actions mean is not clear, and the model would learn that blur',
    ),
  ],
};

export const videoWorldModel: PolicyRow = {
  policy_class: 'video_world_model',
  title: 'World model of video alone',
  impossible: ({ cameras }) => (cameras === 0 ? 'no camera: there is nothing to predict' : null),
  points: (facts) => [
    pointIf(facts.action_space.status === 'not_assessable', 2, 'there are no actions to condition on'),
    pointIf(facts.hours < 1, -1, `${formatHours(facts)}: far from what video models are trained on`),
    pointIf(facts.hours >= 10, 1, `${formatHours(facts)} of it`),
  ],
};

/** Facts on which a policy recommendation is based; all counted or measured. */
export interface PolicyFacts {
  readonly target_profile: TargetProfileId;
  /** Number of episodes that were not rejected, and their total length. */
  readonly episodes: number;
  readonly hours: number;
  /** Number of distinct task texts among them, and fraction of episodes that have one. */
  readonly tasks: number;
  readonly instructed_share: number;
  /** Number of camera streams in most of the inspected episodes. */
  readonly cameras: number;
  readonly has_state: boolean;
  /** Rate of the action stream; `null` if unknown. */
  readonly action_rate_hz: number | null;
  readonly action_space: ActionSpaceDiagnosis;
}
