/** Titles of the annotation layers, and of the review of their output, by id. */
export const layerTitles = {
  metadata: 'Metadata',
  captions: 'Captions',
  segments: 'Segments',
  object_labels: 'Object labels',
  dense_text: 'Detailed description',
  hand_pose: 'Hand pose',
  body_pose: 'Body pose',
  tracks: 'Object tracks',
  segmentation: 'Semantic segmentation',
  depth: 'Depth',
  optical_flow: 'Optical flow',
  representation_3d: '3D reconstruction',
  annotation_review: 'Annotation review',
} as const;
