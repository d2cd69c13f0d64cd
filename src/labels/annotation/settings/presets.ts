import { defineRegistry } from '#core';
import type { LayerId, LayerMode, UseCase } from '#core/api';
import { layers } from '../layer-registry.ts';

/** Id of a preset. */
export type PresetId = UseCase['presets'][number];
/** Mode by layer; layers may be missing. */
export type LayerModes = Readonly<Partial<Record<LayerId, LayerMode>>>;

/**
 * A named set of layer modes. Layers it does not name keep their default mode. Use cases list the presets written for
 * them.
 */
export interface PresetRow {
  readonly id: PresetId;
  readonly title: string;
  readonly summary: string;
  readonly modes: LayerModes;
}

const modesFor = (mode: LayerMode, ...ids: readonly LayerId[]): LayerModes =>
  Object.fromEntries(ids.map((id) => [id, mode]));

/** All presets, in display order. */
export const presets = defineRegistry<PresetRow>([
  {
    id: 'readiness-only',
    title: 'Readiness only',
    summary: 'Readiness checks and captions only; most other layers are off.',
    modes: {
      captions: 'in_run',
      ...modesFor('off', 'object_labels', 'segments', 'dense_text', 'hand_pose', 'body_pose', 'tracks'),
      ...modesFor('off', 'segmentation', 'depth', 'optical_flow'),
    },
  },
  {
    id: 'manipulation-qc',
    title: 'Manipulation',
    summary: 'Captions, object labels, segments and metadata in every run; expensive layers on demand.',
    modes: {
      ...modesFor('in_run', 'captions', 'object_labels', 'segments', 'metadata'),
      ...modesFor('on_demand', 'dense_text', 'hand_pose', 'body_pose', 'tracks', 'segmentation', 'depth'),
      ...modesFor('on_demand', 'optical_flow', 'representation_3d'),
    },
  },
  {
    id: 'egocentric-full',
    title: 'Egocentric (full)',
    summary:
      'Hand pose, texts, objects and segments of first-person recordings in every run; body pose, tracks, segmentation, depth and flow on demand.',
    modes: {
      ...modesFor('in_run', 'hand_pose', 'dense_text', 'captions', 'object_labels', 'segments', 'metadata'),
      ...modesFor('on_demand', 'body_pose', 'tracks', 'segmentation', 'depth', 'optical_flow'),
    },
  },
  {
    id: 'drive-log-lite',
    title: 'Drive logs (light)',
    summary:
      'Object labels, captions and metadata in every run; tracks, segmentation, depth and flow on demand.',
    modes: {
      ...modesFor('in_run', 'object_labels', 'captions', 'metadata'),
      ...modesFor('on_demand', 'tracks', 'segmentation', 'depth', 'optical_flow'),
      ...modesFor('off', 'segments', 'hand_pose', 'dense_text'),
    },
  },
  {
    id: 'world-model',
    title: 'World model',
    summary: 'Depth, optical flow and segmentation in every run; captions and metadata on demand.',
    modes: {
      ...modesFor('in_run', 'depth', 'optical_flow', 'segmentation'),
      ...modesFor('on_demand', 'captions', 'metadata', 'representation_3d'),
    },
  },
  {
    id: 'everything',
    title: 'Everything',
    summary: 'Every applicable layer in every run.',
    modes: modesFor('in_run', ...layers.rows.map(({ id }) => id)),
  },
]);

/** Returns the mode of every layer under a preset: the one that it sets, else the layer's fallback. */
export function presetModes({ modes }: PresetRow): Readonly<Record<LayerId, LayerMode>> {
  const entries = layers.rows.map(({ id, fallback }) => [id, modes[id] ?? fallback] as const);
  return Object.fromEntries(entries) as Record<LayerId, LayerMode>;
}
