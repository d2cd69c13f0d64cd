import { z } from 'zod';
import { layerIds } from './layer-ids.ts';

export const layerIdSchema = z.enum(layerIds).meta({ id: 'LayerId' });
export type LayerId = z.infer<typeof layerIdSchema>;

/** Kinds of annotation jobs: every layer, and the review of annotations, which is no layer of the catalog. */
export const jobLayerIds = [...layerIds, 'annotation_review'] as const;
export const jobLayerIdSchema = z.enum(jobLayerIds).meta({ id: 'JobLayerId' });
export type JobLayerId = z.infer<typeof jobLayerIdSchema>;

/** Modes of a layer: computed in every run, on request, or never. */
export const layerModes = ['in_run', 'on_demand', 'off'] as const;
export const layerModeSchema = z.enum(layerModes).meta({ id: 'LayerMode' });
export type LayerMode = z.infer<typeof layerModeSchema>;

/** Tasks that models perform; one model is selected for each. */
export const modelSurfaceIds = [
  'detection',
  'depth',
  'optical_flow',
  'hand_pose',
  'body_pose',
  'masks',
  'tracking',
  'captioning',
  'reviewing',
  'text_embedding',
] as const;
export const modelSurfaceIdSchema = z.enum(modelSurfaceIds).meta({ id: 'ModelSurfaceId' });
export type ModelSurfaceId = z.infer<typeof modelSurfaceIdSchema>;
