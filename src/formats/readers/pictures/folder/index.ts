import type { FormatReader } from '../../../reader.ts';
import { pictureFiles } from '../picture-names.ts';

export const picturesReader: FormatReader = {
  id: 'pictures',
  title: 'Folders of pictures',
  about:
    'Picture files of any folder that belong to nothing else, one picture an episode. Recognised by their first bytes; what is called a picture and is none becomes an episode that does not decode. Folders that name classes give labels, as do metadata.jsonl and metadata.csv beside the pictures.',
  scope: 'files',
  async recognise(tree) {
    const found = await pictureFiles(tree);
    if (found === null) return null;
    const sidecars = tree.files.filter((file) => /(^|\/)metadata\.(jsonl|csv)$/i.test(file.path));
    return {
      format: 'pictures',
      evidence: [`${found.files.length} picture files; first bytes of ${found.formats.join(', ')}`],
      files: [...found.files, ...sidecars].map((file) => file.path),
    };
  },
  open: async (tree, recognition) => (await import('./open.ts')).openPictureFolder(tree, recognition),
};
