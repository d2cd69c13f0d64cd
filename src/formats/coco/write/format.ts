import { type ExportFormat, editsOfPictures, withPictures } from '../../shared/write/export-format.ts';

export const cocoDetection: ExportFormat = {
  id: 'coco-detection',
  title: 'COCO detection',
  carries: 'pictures with boxes, masks and categories',
  kinds: withPictures,
  otherwise: 'it holds labelled pictures; these recordings have no camera',
  pictures_only: true,
  judgements: true,
  annotations: ['segmentation', 'object_labels'],
  edits: editsOfPictures,
  writer: async () => (await import('./write-coco.ts')).openCoco,
};
