import type { PictureLabel } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { type PictureEntry, pictureDataset } from '../shared/picture-dataset.ts';
import type { Dataset, Recognition } from '../shared/reader.ts';
import { inferFolderClasses } from '../shared/splits.ts';
import { readLabelFiles } from './labels/read-label-files.ts';
import { readFolderMetadata } from './metadata.ts';

/**
 * Opens a folder of pictures as a dataset with one episode per picture, with labels from class folders, metadata and
 * label files; `null` labels if there are none at all.
 */
export async function openPictureFolder(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  const labelFiles = tree.files.filter(({ path }) => /\.(json|xml)$/i.test(path)).map(({ path }) => path);
  const files = tree.files.filter(({ path }) => !/(^|\/)metadata\.(jsonl|csv)$|\.(json|xml)$/i.test(path));
  const paths = files.map((file) => file.path);
  const classOf = inferFolderClasses(paths);
  const { notes, findings } = await readFolderMetadata(tree, new Set(paths));
  const folderLabels = await readLabelFiles(tree, labelFiles, paths);
  const labelled =
    classOf !== null || folderLabels.of.size > 0 || [...notes.values()].some((note) => note.labels !== null);
  const entry = (index: number): PictureEntry => {
    const { path, bytes } = files[index];
    const note = notes.get(path);
    const own = folderLabels.of.get(path);
    const unread = folderLabels.unread(path);
    const fromFolder: PictureLabel[] = classOf === null ? [] : [{ category: classOf(path), box_px: null }];
    return {
      path,
      bytes,
      labels: labelled ? [...fromFolder, ...(note?.labels ?? []), ...(own?.labels ?? [])] : null,
      size_px: own?.size_px ?? null,
      captions: [...(note?.captions ?? []), ...(own?.captions ?? [])],
      annotations: [note, own].flatMap((one) => one?.source ?? []),
      findings: unread === null ? [] : [unread],
    };
  };
  return pictureDataset({
    tree,
    recognition,
    findings: [...findings, ...folderLabels.findings],
    facts: {
      format: 'pictures',
      version: null,
      declared_episodes: null,
      declared_frames: null,
      declared_rate_hz: null,
      robot: null,
      declared_cameras: [],
    },
    bytes: files.map((file) => file.bytes),
    entry,
  });
}
