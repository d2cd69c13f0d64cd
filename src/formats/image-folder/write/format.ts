import { type ExportFormat, kindsWithPictures, pictureEdits } from '../../shared/write/export-format.ts';

/** Export format: image folder. */
export const imageFolder: ExportFormat = {
  id: 'image-folder',
  title: 'Image folder',
  carries: 'pictures in folders, with metadata.jsonl beside them',
  kinds: kindsWithPictures,
  otherwise: 'it holds pictures; these recordings have no camera',
  pictures_only: true,
  edits: pictureEdits,
  writer: async () => (await import('./write-folder.ts')).openImageFolder,
};
