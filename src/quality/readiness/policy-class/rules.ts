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
      `${formatTaskCount(facts)}: it learns one or a few tasks and is not conditioned on text`,
    ),
    pointIf(facts.tasks > 10, -1, `${formatTaskCount(facts)}, but it is not conditioned on text`),
    pointIf(
      facts.episodes >= 20 && facts.episodes < 100,
      1,
      `${facts.episodes} episodes: it has been shown to work with 50 episodes per task`,
    ),
    pointIf(
      actionRate_hz(facts) >= 30,
      1,
      `${formatRate(facts)}: chunks shorten the horizon over which errors accumulate`,
    ),
    pointIf(storedRepresentation(facts) === 'absolute', 1, 'it was designed for absolute targets'),
    pointIf(
      storedRepresentation(facts) === 'step_delta',
      -1,
      'summed deltas drift over a chunk that is executed open-loop',
    ),
    pointIf(facts.cameras === 0, -1, 'no camera: it was designed for images'),
    pointIf(
      facts.target_profile === 'behaviour-cloning',
      1,
      'the target of the project is behaviour cloning',
    ),
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
      `${formatTaskCount(facts)}: it learns one or a few tasks and is not conditioned on text`,
    ),
    pointIf(facts.tasks > 10, -1, `${formatTaskCount(facts)}, but it is not conditioned on text`),
    pointIf(facts.episodes >= 50, 1, `${facts.episodes} episodes: enough to learn a distribution`),
    pointIf(facts.episodes < 20, -1, `${facts.episodes} episodes are too few to learn a distribution well`),
    pointIf(storedRepresentation(facts) === 'absolute', 1, 'absolute targets suit it better than velocities'),
    pointIf(
      storedRepresentation(facts) === 'chunk_relative',
      1,
      'UMI trains it on chunk-relative trajectories',
    ),
    pointIf(
      actionRate_hz(facts) >= 50,
      -1,
      `${formatRate(facts)}: denoising steps may take too long for this control rate`,
    ),
    pointIf(
      facts.target_profile === 'diffusion-policy',
      1,
      'the target of the project is a diffusion policy',
    ),
  ],
};

export const vlaFinetuning: PolicyRow = {
  policy_class: 'vla_finetuning',
  title: 'Fine-tuning a vision-language-action model with action chunks',
  impossible: (facts) => {
    if (facts.cameras === 0) return 'no camera: the model needs images';
    if (facts.instructed_share < 0.5)
      return `${roundFinite(100 * facts.instructed_share, 2)} % of the episodes have an instruction: too few to condition on`;
    return missingActionsReason(facts);
  },
  points: (facts) => [
    pointIf(facts.tasks >= 10, 3, `${facts.tasks} task texts distinguish many tasks`),
    pointIf(facts.tasks > 3 && facts.tasks < 10, 1, `${facts.tasks} task texts distinguish tasks`),
    pointIf(facts.tasks <= 1, -2, 'a single task text: the model learns to ignore it'),
    pointIf(facts.cameras >= 2, 1, `${facts.cameras} cameras, as in pretraining`),
    pointIf(facts.target_profile === 'vla', 1, 'the target of the project is a VLA'),
  ],
};

export const bcRnn: PolicyRow = {
  policy_class: 'bc_rnn',
  title: 'Behaviour cloning with a recurrent network (BC-RNN)',
  impossible: (facts) =>
    facts.has_state ? missingActionsReason(facts) : 'no state: it needs the robot state as input',
  points: (facts) => [
    pointIf(facts.cameras === 0, 2, 'no camera: a small network suffices for the state'),
    pointIf(facts.cameras > 0, -1, 'action-chunking policies outperform it on images'),
    pointIf(
      actionRate_hz(facts) > 0 && actionRate_hz(facts) <= 20,
      1,
      `${formatRate(facts)}: a horizon short enough for single-step predictions`,
    ),
    pointIf(
      actionRate_hz(facts) >= 30,
      -1,
      `${formatRate(facts)}: errors of single-step predictions accumulate`,
    ),
    pointIf(storedRepresentation(facts) === 'step_delta', 1, 'it was studied with step deltas'),
    pointIf(
      facts.target_profile === 'behaviour-cloning',
      1,
      'the target of the project is behaviour cloning',
    ),
  ],
};

const formatHours = ({ hours }: PolicyFacts): string => `${roundFinite(hours, 2)} hours`;

export const actionWorldModel: PolicyRow = {
  policy_class: 'action_conditioned_world_model',
  title: 'Action-conditioned world model',
  impossible: (facts) =>
    facts.cameras === 0 ? 'no camera: nothing to predict' : missingActionsReason(facts),
  points: (facts) => [
    { points: 2, why: 'actions recorded with the video allow planning with the model' },
    pointIf(
      facts.hours < 1,
      -1,
      `${formatHours(facts)}: enough to adapt a pretrained video model, not to train one`,
    ),
    pointIf(facts.hours >= 10, 1, `${formatHours(facts)} of video`),
    pointIf(
      storedRepresentation(facts) === null,
      -1,
      'the action representation is unclear, which would blur the predictions',
    ),
  ],
};

export const videoWorldModel: PolicyRow = {
  policy_class: 'video_world_model',
  title: 'Video-only world model',
  impossible: ({ cameras }) => (cameras === 0 ? 'no camera: nothing to predict' : null),
  points: (facts) => [
    pointIf(facts.action_space.status === 'not_assessable', 2, 'no actions to condition on'),
    pointIf(facts.hours < 1, -1, `${formatHours(facts)}: far less than video models are trained on`),
    pointIf(facts.hours >= 10, 1, `${formatHours(facts)} of video`),
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
