import type { PolicyClass, Representation } from '#core/api';
import { plain } from '../features/plain.ts';
import type { PolicyFacts } from './facts.ts';

/** One thing that speaks for (positive) or against a policy class. */
interface Point {
  readonly points: number;
  readonly why: string;
}

export interface PolicyRow {
  readonly policy_class: PolicyClass;
  readonly title: string;
  /** Why it cannot be trained on this at all; null where it can. */
  readonly impossible: (facts: PolicyFacts) => string | null;
  readonly points: (facts: PolicyFacts) => readonly (Point | null)[];
}

const when = (condition: boolean, points: number, why: string): Point | null =>
  condition ? { points, why } : null;

function storedAs({ action_space }: PolicyFacts): Representation | null {
  if (action_space.status !== 'diagnosed') return null;
  const { representation } = action_space;
  return representation === 'mixed' || representation === 'undetermined' ? null : representation;
}

const texts = ({ tasks }: PolicyFacts): string => (tasks === 1 ? '1 task text' : `${tasks} task texts`);
const rateOf = ({ action_rate_hz }: PolicyFacts): number => action_rate_hz ?? 0;
const hz = (facts: PolicyFacts): string => `${plain(rateOf(facts), 3)} Hz`;
const noActions = ({ action_space }: PolicyFacts): string | null =>
  action_space.status === 'diagnosed' ? null : action_space.reason;

export const act: PolicyRow = {
  policy_class: 'act',
  title: 'Action chunking with transformers (ACT)',
  impossible: noActions,
  points: (facts) => [
    when(facts.tasks <= 3, 1, `${texts(facts)}: it learns one task, or a few, without reading them`),
    when(facts.tasks > 10, -1, `${texts(facts)}, and it does not read them`),
    when(
      facts.episodes >= 20 && facts.episodes < 100,
      1,
      `${facts.episodes} episodes: it was shown to work with 50 of a task`,
    ),
    when(rateOf(facts) >= 30, 1, `${hz(facts)}: chunks shorten the horizon over which errors add up`),
    when(storedAs(facts) === 'absolute', 1, 'absolute targets are what it was built on'),
    when(
      storedAs(facts) === 'step_delta',
      -1,
      'summed changes drift over a chunk that is played without looking',
    ),
    when(facts.cameras === 0, -1, 'no camera: it was built to look'),
    when(facts.target_profile === 'behaviour-cloning', 1, 'the project’s target is behaviour cloning'),
  ],
};

export const diffusion: PolicyRow = {
  policy_class: 'diffusion_policy',
  title: 'Diffusion policy',
  impossible: noActions,
  points: (facts) => [
    when(facts.tasks <= 3, 1, `${texts(facts)}: it learns one task, or a few, without reading them`),
    when(facts.tasks > 10, -1, `${texts(facts)}, and it does not read them`),
    when(facts.episodes >= 50, 1, `${facts.episodes} episodes: enough of them to learn a distribution from`),
    when(facts.episodes < 20, -1, `${facts.episodes} episodes are few to learn a distribution from`),
    when(storedAs(facts) === 'absolute', 1, 'absolute targets suit it better than velocities'),
    when(storedAs(facts) === 'chunk_relative', 1, 'chunk-relative trajectories are what UMI trains it on'),
    when(
      rateOf(facts) >= 50,
      -1,
      `${hz(facts)}: every step of denoising costs time that control does not have`,
    ),
    when(facts.target_profile === 'diffusion-policy', 1, 'the project’s target is a diffusion policy'),
  ],
};

export const vlaFinetuning: PolicyRow = {
  policy_class: 'vla_finetuning',
  title: 'Fine-tuning a vision-language-action model with action chunks',
  impossible: (facts) => {
    if (facts.cameras === 0) return 'no camera: such a model acts on what it sees';
    if (facts.instructed_share < 0.5)
      return `${plain(100 * facts.instructed_share, 2)} % of the episodes say what is done: it cannot be told`;
    return noActions(facts);
  },
  points: (facts) => [
    when(facts.tasks >= 10, 3, `${facts.tasks} task texts tell many tasks apart`),
    when(facts.tasks > 3 && facts.tasks < 10, 1, `${facts.tasks} task texts tell tasks apart`),
    when(facts.tasks <= 1, -2, 'one text for everything: the model learns to ignore it'),
    when(facts.cameras >= 2, 1, `${facts.cameras} cameras, as pretrained on`),
    when(facts.target_profile === 'vla', 1, 'the project’s target is a VLA'),
  ],
};

export const bcRnn: PolicyRow = {
  policy_class: 'bc_rnn',
  title: 'Behaviour cloning with a recurrent network (BC-RNN)',
  impossible: (facts) => (facts.has_state ? noActions(facts) : 'no state: it acts on where the robot is'),
  points: (facts) => [
    when(facts.cameras === 0, 2, 'no camera: the state is little enough for a small network'),
    when(facts.cameras > 0, -1, 'chunking policies have overtaken it where pictures are looked at'),
    when(
      rateOf(facts) > 0 && rateOf(facts) <= 20,
      1,
      `${hz(facts)}: few enough steps for answers one by one`,
    ),
    when(rateOf(facts) >= 30, -1, `${hz(facts)}: answers one by one let errors add up`),
    when(storedAs(facts) === 'step_delta', 1, 'changes from step to step are what it was studied with'),
    when(facts.target_profile === 'behaviour-cloning', 1, 'the project’s target is behaviour cloning'),
  ],
};

const hoursOf = ({ hours }: PolicyFacts): string => `${plain(hours, 2)} hours`;

export const actionWorldModel: PolicyRow = {
  policy_class: 'action_conditioned_world_model',
  title: 'World model conditioned on actions',
  impossible: (facts) => (facts.cameras === 0 ? 'no camera: there is nothing to predict' : noActions(facts)),
  points: (facts) => [
    { points: 2, why: 'actions beside the video tell what is done, so the model can be planned with' },
    when(
      facts.hours < 1,
      -1,
      `${hoursOf(facts)}: enough to adapt a pretrained video model, not to train one`,
    ),
    when(facts.hours >= 10, 1, `${hoursOf(facts)} of it`),
    when(
      storedAs(facts) === null,
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
    when(facts.action_space.status === 'not_assessable', 2, 'there are no actions to condition on'),
    when(facts.hours < 1, -1, `${hoursOf(facts)}: far from what video models are trained on`),
    when(facts.hours >= 10, 1, `${hoursOf(facts)} of it`),
  ],
};
