import type { FormatReader } from '../shared/reader.ts';
import { metadataFolderPattern } from '../shared/unreadable-files.ts';

/** Reader of folders of pictures. */
export const picturesReader: FormatReader = {
  id: 'pictures',
  title: 'Image folders',
  about:
    'Image files in any folder that belong to no other format. Each image is one episode. Images are recognised by their first bytes; a file with an image extension but other contents becomes an episode that cannot be decoded. Labels come from class folders, from metadata.jsonl or metadata.csv next to the images, and from label files of VGG Image Annotator (1 and 2), LabelMe, Label Studio, CVAT (for images), Pascal VOC, Datumaro and Supervisely, recognised by their contents under any name. Boxes are read as they are; polygons, ellipses, points, masks and other shapes as their bounding box in pixels. Label files of other formats are reported, and their images are at most in review.',
  scope: 'files',
  foreignSiblings: metadataFolderPattern,
  recognise: async (tree) => (await import('./recognise.ts')).recognisePictures(tree),
  open: async (tree, recognition) => (await import('./open.ts')).openPictureFolder(tree, recognition),
};
