import { z } from 'zod';

/** What annotation adds to an episode, in the order in which it is shown. */
export const layerIds = [
  'metadata',
  'captions',
  'segments',
  'object_labels',
  'dense_text',
  'hand_pose',
  'body_pose',
  'tracks',
  'segmentation',
  'depth',
  'optical_flow',
  'representation_3d',
] as const;
export const layerIdSchema = z.enum(layerIds);
export type LayerId = z.infer<typeof layerIdSchema>;

/** From the one that does most to the one that does nothing. */
export const layerModes = ['in_run', 'on_demand', 'off'] as const;
export const layerModeSchema = z.enum(layerModes);
export type LayerMode = z.infer<typeof layerModeSchema>;

/** What a model is used for. */
export const modelSurfaceIds = [
  'detection',
  'open_vocabulary',
  'depth',
  'optical_flow',
  'hand_pose',
  'body_pose',
  'segmentation',
  'masks',
  'tracking',
  'captioning',
  'image_embedding',
  'text_embedding',
] as const;
export const modelSurfaceIdSchema = z.enum(modelSurfaceIds);
export type ModelSurfaceId = z.infer<typeof modelSurfaceIdSchema>;
