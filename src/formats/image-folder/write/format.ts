import { type ExportFormat, editsOfPictures, withPictures } from '../../shared/write/export-format.ts';

export const imageFolder: ExportFormat = {
  id: 'image-folder',
  title: 'Image folder',
  carries: 'pictures in folders, with metadata.jsonl beside them',
  kinds: withPictures,
  otherwise: 'it holds pictures; these recordings have no camera',
  pictures_only: true,
  edits: editsOfPictures,
  writer: async () => (await import('./write-folder.ts')).openImageFolder,
};
