import { type ExportFormat, kindsWithPictures, pictureEdits } from '../shared/write/export-format.ts';

/** Export format: image folder. */
export const imageFolder: ExportFormat = {
  id: 'image-folder',
  title: 'Image folder',
  carries: 'images in folders with metadata.jsonl',
  kinds: kindsWithPictures,
  otherwise: 'it stores images, but these recordings have no camera',
  pictures_only: true,
  edits: pictureEdits,
  writer: async () => (await import('./write-folder.ts')).openImageFolder,
};
