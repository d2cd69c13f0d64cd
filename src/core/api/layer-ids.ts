// Written by `npm run generate` from src/labels/annotation/layer-registry.ts. Change it there.

/** Ids of annotation layers, in display order. */
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
