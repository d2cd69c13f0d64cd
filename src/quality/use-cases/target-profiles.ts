import { defineRegistry } from '#core';
import type { TargetProfile, TargetProfileId } from '#core/api';
import { targetTitles } from '#core/titles';

/** Training target: its pipeline steps, its export format and its requirements on the data. */
export type TargetProfileRow = TargetProfile;

type Step = TargetProfile['pipeline_steps'][number];

/** Creates a step of a target's pipeline; `layers` are the annotation layers that it runs, none by default. */
const step = (id: Step['id'], why: string, layers: readonly string[] = []): Step => ({
  id,
  layers: [...layers],
  why,
});

type Requirement = TargetProfile['requirements'][number];

/** Creates a requirement that the target cannot be trained without. */
const requires = (id: Requirement['id'], why: string): Requirement => ({ id, level: 'required', why });

/** Creates a requirement that improves the target but is optional. */
const helpedBy = (id: Requirement['id'], why: string): Requirement => ({ id, level: 'helps', why });

const vla: TargetProfileRow = {
  id: 'vla',
  title: targetTitles.vla,
  summary: 'Fine-tunes a pretrained model that predicts action chunks from images and an instruction.',
  kinds: ['teleop', 'drive-log'],
  pipeline_steps: [
    step('read', 'recordings are split into episodes, each stream with its own clock'),
    step('readiness', 'the model learns capture errors as they are'),
    step('action_space', 'the action head must know whether actions are positions or deltas'),
    step('annotate', 'paraphrased instructions, and segments for conditioning', ['captions', 'segments']),
    step('deduplicate', 'repeated episodes overweight a task'),
    step('split', 'whole episodes are held out, never frames of a training episode'),
    step('statistics', 'actions and states are normalised by quantiles of the training split'),
    step('export', 'open VLA trainers load LeRobot v3'),
  ],
  export_format: 'lerobot-v3',
  requirements: [
    requires('accepted_episodes', 'rejected episodes should not be imitated'),
    requires('actions', 'the model learns actions'),
    requires('cameras', 'the model takes images as input'),
    requires(
      'instructions',
      'the model is conditioned on instructions; without them it cannot distinguish tasks',
    ),
    requires('time', 'actions are executed at the recorded rate'),
    requires('one_action_space', 'all episodes share one action head'),
    helpedBy('states', 'most VLA recipes also condition on proprioception'),
    helpedBy('varied_instructions', 'with a single text the model learns to ignore it'),
    helpedBy('outcomes', 'allows failed demonstrations to be excluded or down-weighted'),
  ],
  learns_actions: true,
};

const behaviourCloning: TargetProfileRow = {
  id: 'behaviour-cloning',
  title: targetTitles['behaviour-cloning'],
  summary:
    'Trains a policy from scratch to predict the operator’s commands from observations, for example ACT or BC-RNN.',
  kinds: ['teleop', 'state-only', 'drive-log', 'aerial-flight'],
  pipeline_steps: [
    step('read', 'recordings are split into episodes, each stream with its own clock'),
    step('readiness', 'a cloned policy also copies jitter, lag and frozen joints'),
    step('action_space', 'absolute targets and deltas need different normalisation and controllers'),
    step('deduplicate', 'repeated episodes count twice in the loss'),
    step('split', 'whole episodes are held out'),
    step('statistics', 'mean and standard deviation of actions and states of the training split'),
    step('export', 'LeRobot v3 stores state, action and cameras with their statistics'),
  ],
  export_format: 'lerobot-v3',
  requirements: [
    requires('accepted_episodes', 'a cloned policy is as good as its demonstrations'),
    requires('actions', 'the policy learns actions'),
    requires('time', 'actions are executed at the recorded rate'),
    requires('one_action_space', 'a loss over mixed representations averages incomparable values'),
    helpedBy('states', 'the policy is conditioned on the robot state'),
    helpedBy('cameras', 'without images the policy cannot see the objects'),
    helpedBy('outcomes', 'allows failed demonstrations to be excluded'),
  ],
  learns_actions: true,
};

const diffusionPolicy: TargetProfileRow = {
  id: 'diffusion-policy',
  title: targetTitles['diffusion-policy'],
  summary: 'Trains a policy from scratch that generates action chunks by denoising, for few tasks.',
  kinds: ['teleop', 'state-only'],
  pipeline_steps: [
    step('read', 'recordings are split into episodes, each stream with its own clock'),
    step('readiness', 'the policy reproduces errors of the demonstrations'),
    step(
      'action_space',
      'denoising scales with the action range, which differs by orders of magnitude between positions and deltas',
    ),
    step('deduplicate', 'repeated episodes distort the learnt distribution'),
    step('split', 'whole episodes are held out'),
    step('statistics', 'actions are scaled to −1..1 by the limits of the training split'),
    step('export', 'the reference implementation trains from a zarr replay buffer'),
  ],
  export_format: 'zarr-replay-buffer',
  requirements: [
    requires('accepted_episodes', 'rejected episodes should not be reproduced'),
    requires('actions', 'the policy denoises action chunks'),
    requires('time', 'chunks are executed at the recorded rate'),
    requires('one_action_space', 'all episodes share one normalisation'),
    helpedBy('states', 'the policy is conditioned on recent robot states'),
    helpedBy('cameras', 'without images the policy cannot see the objects'),
    helpedBy('outcomes', 'allows failed demonstrations to be excluded'),
  ],
  learns_actions: true,
};

const worldModel: TargetProfileRow = {
  id: 'world-model',
  title: targetTitles['world-model'],
  summary: 'Trains a model that predicts future camera images from actions.',
  kinds: ['teleop', 'egocentric', 'drive-log', 'aerial-flight'],
  pipeline_steps: [
    step('read', 'recordings are split into episodes, each stream with its own clock'),
    step('readiness', 'repeated or late frames teach that nothing moves'),
    step(
      'action_space',
      'predictions are conditioned on actions, so all actions need the same representation',
    ),
    step('annotate', 'depth and motion as additional targets, text for search', [
      'depth',
      'optical_flow',
      'captions',
    ]),
    step('deduplicate', 'repeated scenes are memorised'),
    step('split', 'hold out places, not frames'),
    step('export', 'shards can be streamed in order, as required for long video'),
  ],
  export_format: 'webdataset',
  requirements: [
    requires('accepted_episodes', 'the model learns to predict capture errors'),
    requires('cameras', 'the model predicts images'),
    requires('time', 'the prediction step needs a known duration'),
    helpedBy('actions', 'with actions, the model predicts their effects and can be used for planning'),
    helpedBy('states', 'states help where the cameras see little'),
    helpedBy('one_action_space', 'mixed action representations blur the predicted effects'),
  ],
  learns_actions: true,
};

const sslEncoder: TargetProfileRow = {
  id: 'ssl-encoder',
  title: targetTitles['ssl-encoder'],
  summary: 'Trains an image or video encoder on camera data without labels.',
  kinds: ['teleop', 'egocentric', 'drive-log', 'aerial-flight', 'vision-asset'],
  pipeline_steps: [
    step('read', 'recordings are indexed as episodes; images stay where they are'),
    step('readiness', 'black, blurred and repeated frames contain nothing to learn'),
    step('deduplicate', 'near copies dominate a contrastive loss'),
    step('split', 'whole episodes are held out'),
    step('export', 'every image trainer loads an image folder'),
  ],
  export_format: 'image-folder',
  requirements: [
    requires('accepted_episodes', 'empty images contain nothing to learn'),
    requires('cameras', 'the encoder learns from images only'),
    helpedBy('time', 'consecutive frames show one scene, from which video encoders learn'),
  ],
  learns_actions: false,
};

const detector: TargetProfileRow = {
  id: 'detector',
  title: targetTitles.detector,
  summary: 'Trains a model that detects objects in images, from boxes and categories.',
  kinds: ['teleop', 'egocentric', 'drive-log', 'aerial-flight', 'vision-asset'],
  pipeline_steps: [
    step('read', 'recordings are indexed as episodes; images stay where they are'),
    step('readiness', 'objects in blurred or black frames can be neither detected nor labelled'),
    step('annotate', 'boxes are generated by grounding the classes of the workspace in the images', [
      'object_labels',
    ]),
    step('deduplicate', 'near copies on both sides of a split inflate the score'),
    step('split', 'all frames of an episode stay in one split'),
    step('export', 'detector trainers load COCO detection'),
  ],
  export_format: 'coco-detection',
  requirements: [
    requires('accepted_episodes', 'empty images contain no objects'),
    requires('cameras', 'detectors take images as input'),
    requires('labels', 'detectors learn boxes and categories'),
  ],
  learns_actions: false,
};

/** All target profiles, in display order. */
export const targetProfiles = defineRegistry<TargetProfileRow>([
  vla,
  behaviourCloning,
  diffusionPolicy,
  worldModel,
  sslEncoder,
  detector,
]);

/** Returns the target profile of an id of the API contract. */
export function targetProfile(id: TargetProfileId): TargetProfileRow {
  return targetProfiles.get(id)!;
}
