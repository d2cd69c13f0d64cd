import type { FormatReader } from '../../shared/reader.ts';
import { metadataFolderPattern } from '../../shared/unreadable-files.ts';

/** Reader of folders of pictures. */
export const picturesReader: FormatReader = {
  id: 'pictures',
  title: 'Folders of pictures',
  about:
    'Picture files of any folder that belong to nothing else, one picture an episode. Recognised by their first bytes; what is called a picture and is none becomes an episode that does not decode. Folders that name classes give labels, as do metadata.jsonl and metadata.csv beside the pictures.',
  scope: 'files',
  foreignSiblings: metadataFolderPattern,
  recognise: async (tree) => (await import('./recognise.ts')).recognisePictures(tree),
  open: async (tree, recognition) => (await import('./open.ts')).openPictureFolder(tree, recognition),
};
