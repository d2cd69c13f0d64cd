import type { Episode } from '#episode';
import { createFileHasher } from '../../bytes/file-hash.ts';
import type { FileEntry, SourceTree } from '../../bytes/source-tree.ts';
import { divideByFolder } from '../../divide-folders.ts';
import type { Dataset, FormatReader, ReadOptions, Recognition, Unreadable, WorkUnit } from '../../reader.ts';
import { containerOf, headBytes } from './containers.ts';
import { readVideo } from './read-video.ts';

const called = /\.(mp4|m4v|mov|qt|mkv|webm|avi|ts|mts|m2ts|mpg|mpeg|flv|ogv|3gp)$/i;

/** Videos in one work unit: several small ones, or one large. */
const unitFiles = 32;
const unitBytes = 256 * 1024 * 1024;

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
  async open(tree, recognition) {
    return openVideos(tree, recognition);
  },
};

function partOf(whole: Recognition, files: readonly string[]): Recognition {
  if (files.length === whole.files?.length) return { ...whole, files };
  return { ...whole, evidence: [`${files.length} of ${whole.evidence[0]}`], files };
}

function openVideos(tree: SourceTree, recognition: Recognition): Dataset {
  return {
    facts: {
      format: 'videos',
      version: null,
      declared_episodes: null,
      declared_frames: null,
      declared_rate_hz: null,
      robot: null,
      declared_cameras: [],
    },
    recognition,
    findings: [],
    units: unitsOf(tree.files),
    read: (unit, options) => readUnit(tree, unit, options),
    close: async () => {},
  };
}

function unitsOf(files: readonly FileEntry[]): WorkUnit[] {
  const units: WorkUnit[] = [];
  for (let first = 0; first < files.length; ) {
    let bytes = files[first].bytes;
    let end = first + 1;
    while (end < files.length && end - first < unitFiles && bytes + files[end].bytes <= unitBytes) {
      bytes += files[end++].bytes;
    }
    units.push({
      id: `videos ${first}`,
      expected_episodes: end - first,
      first_index: first,
      bytes,
      selector: null,
    });
    first = end;
  }
  return units;
}

async function* readUnit(
  tree: SourceTree,
  unit: WorkUnit,
  { signal, onBytes }: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  const hasher = createFileHasher(tree);
  let bytes = 0;
  for (let index = unit.first_index; index < unit.first_index + unit.expected_episodes; index++) {
    signal?.throwIfAborted();
    const file = tree.files[index];
    yield await readVideo(tree, file, index, hasher);
    bytes += file.bytes;
    onBytes?.(bytes);
  }
}
