import type { PictureLabel } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { type PictureEntry, pictureDataset } from '../../shared/picture-dataset.ts';
import type { Dataset, Recognition } from '../../shared/reader.ts';
import { inferFolderClasses } from '../../shared/splits.ts';
import { readFolderMetadata } from './metadata.ts';

/** Opens a folder of pictures with class folders and metadata files as a dataset. */
export async function openPictureFolder(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  const files = tree.files.filter((file) => !/(^|\/)metadata\.(jsonl|csv)$/i.test(file.path));
  const paths = files.map((file) => file.path);
  const classOf = inferFolderClasses(paths);
  const { notes, findings } = await readFolderMetadata(tree, new Set(paths));
  const labelled = classOf !== null || [...notes.values()].some((note) => note.labels !== null);
  const entry = (index: number): PictureEntry => {
    const { path, bytes } = files[index];
    const note = notes.get(path);
    const fromFolder: PictureLabel[] = classOf === null ? [] : [{ category: classOf(path), box_px: null }];
    return {
      path,
      bytes,
      labels: labelled ? [...fromFolder, ...(note?.labels ?? [])] : null,
      size_px: null,
      captions: note?.captions ?? [],
      annotations: note === undefined ? [] : [note.source],
    };
  };
  return pictureDataset({
    tree,
    recognition,
    findings,
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
