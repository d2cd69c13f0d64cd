import { type ExportFormat, kindsWithPictures, pictureEdits } from '../shared/write/export-format.ts';

/** Export format: COCO detection. */
export const cocoDetection: ExportFormat = {
  id: 'coco-detection',
  title: 'COCO detection',
  carries: 'images with boxes, masks and categories',
  kinds: kindsWithPictures,
  otherwise: 'COCO stores labelled images; these recordings have no camera',
  pictures_only: true,
  judgements: true,
  annotations: ['segmentation', 'object_labels'],
  edits: pictureEdits,
  writer: async () => (await import('./write-coco.ts')).openCoco,
};
