import type { FileEntry } from '../../bytes/source-tree.ts';
import { divideByFolder } from '../../divide-folders.ts';
import type { FormatReader, Recognition } from '../../reader.ts';
import { containerOf, headBytes } from './containers.ts';

const called = /\.(mp4|m4v|mov|qt|mkv|webm|avi|ts|mts|m2ts|mpg|mpeg|flv|ogv|3gp)$/i;

export const videosReader: FormatReader = {
  id: 'videos',
  title: 'Folders of videos',
  about:
    'Video files that belong to nothing else, one an episode. MP4, QuickTime, Matroska, WebM and AVI are read for the times of their frames without decoding; of transport streams, program streams, Flash and Ogg only the pictures are judged. A file without a video track is named and left out. Each folder is a dataset of its own.',
  scope: 'files',
  async recognise(tree) {
    const found: FileEntry[] = [];
    const names = new Set<string>();
    for (const file of tree.files) {
      if (!called.test(file.path) || file.bytes === 0) continue;
      const container = containerOf(await tree.head(file.path, headBytes).catch(() => new Uint8Array()));
      if (container === null) continue;
      names.add(container.name);
      found.push(file);
    }
    if (found.length === 0) return null;
    return {
      format: 'videos',
      evidence: [
        `${found.length} video files; containers by their first bytes: ${[...names].sort().join(', ')}`,
      ],
      files: found.map((file) => file.path),
    };
  },
  divide: (whole) =>
    divideByFolder(
      whole,
      () => false,
      (files) => partOf(whole, files),
    ),
  open: async (tree, recognition) => (await import('./open.ts')).openVideos(tree, recognition),
};

function partOf(whole: Recognition, files: readonly string[]): Recognition {
  if (files.length === whole.files?.length) return { ...whole, files };
  return { ...whole, evidence: [`${files.length} of ${whole.evidence[0]}`], files };
}
