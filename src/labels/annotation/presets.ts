import { defineRegistry } from '#core';
import type { LayerId, LayerMode, UseCase } from '#core/api';
import { layers } from './layer-registry.ts';

export type PresetId = UseCase['presets'][number];
export type LayerModes = Readonly<Partial<Record<LayerId, LayerMode>>>;

/** A bundle of modes; layers it does not name fall to their fallback. Which use cases it was written for, they say. */
export interface PresetRow {
  readonly id: PresetId;
  readonly title: string;
  readonly summary: string;
  readonly modes: LayerModes;
}

const all = (mode: LayerMode, ...ids: readonly LayerId[]): LayerModes =>
  Object.fromEntries(ids.map((id) => [id, mode]));

export const presets = defineRegistry<PresetRow>([
  {
    id: 'readiness-only',
    title: 'Readiness only',
    summary: 'Judges the data; of annotation only captions.',
    modes: {
      captions: 'in_run',
      ...all('off', 'object_labels', 'segments', 'dense_text', 'hand_pose', 'body_pose', 'tracks'),
      ...all('off', 'segmentation', 'depth', 'optical_flow'),
    },
  },
  {
    id: 'manipulation-qc',
    title: 'Manipulation',
    summary: 'What tells demonstrations apart, in every run; whatever is heavy, on demand.',
    modes: {
      ...all('in_run', 'captions', 'object_labels', 'segments', 'metadata'),
      ...all('on_demand', 'dense_text', 'hand_pose', 'body_pose', 'tracks', 'segmentation', 'depth'),
      ...all('on_demand', 'optical_flow', 'representation_3d'),
    },
  },
  {
    id: 'egocentric-full',
    title: 'Egocentric, in full',
    summary:
      'Hands, long texts and objects of first-person capture in every run; pictures of motion on demand.',
    modes: {
      ...all('in_run', 'hand_pose', 'dense_text', 'captions', 'object_labels', 'segments', 'metadata'),
      ...all('on_demand', 'body_pose', 'tracks', 'segmentation', 'depth', 'optical_flow'),
    },
  },
  {
    id: 'drive-log-lite',
    title: 'Drive logs, light',
    summary: 'Objects and captions of the road in every run; what follows or measures them on demand.',
    modes: {
      ...all('in_run', 'object_labels', 'captions', 'metadata'),
      ...all('on_demand', 'tracks', 'segmentation', 'depth', 'optical_flow'),
      ...all('off', 'segments', 'hand_pose', 'dense_text'),
    },
  },
  {
    id: 'world-model',
    title: 'World model',
    summary: 'Depth, flow and segmentation in every run; texts for search on demand.',
    modes: {
      ...all('in_run', 'depth', 'optical_flow', 'segmentation'),
      ...all('on_demand', 'captions', 'metadata', 'representation_3d'),
    },
  },
  {
    id: 'everything',
    title: 'Everything',
    summary: 'Every layer that applies, in every run.',
    modes: all('in_run', ...layers.rows.map(({ id }) => id)),
  },
]);

/** The mode that a preset gives each layer. */
export function presetModes({ modes }: PresetRow): Readonly<Record<LayerId, LayerMode>> {
  const entries = layers.rows.map(({ id, fallback }) => [id, modes[id] ?? fallback] as const);
  return Object.fromEntries(entries) as Record<LayerId, LayerMode>;
}
