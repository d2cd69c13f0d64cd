import type { Episode } from '#core/episode';
import { createFileHasher, type FileEntry, noHashes, type SourceTree } from '#io/sources';
import type { Dataset, ReadOptions, Recognition, Unreadable, WorkUnit } from '../shared/reader.ts';
import { readVideo } from './read-video.ts';

/** Maximum files and bytes per work unit: several small videos or one large one. */
const maxUnitFiles = 32;
const maxUnitBytes = 256 * 1024 * 1024;

/** Bytes of a file that a look reads at most: the header with the frame times of an hour. */
const maxHeaderBytes = 5e6;

/** Opens video files as a dataset with one episode per file, in the order of the listing. */
export function openVideos(tree: SourceTree, recognition: Recognition): Dataset {
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
    units: buildUnits(tree.files),
    read: (unit, options) => readUnit(tree, unit, options),
    close: async () => {},
  };
}

function buildUnits(files: readonly FileEntry[]): WorkUnit[] {
  const units: WorkUnit[] = [];
  for (let first = 0; first < files.length; ) {
    let bytes = files[first].bytes;
    let end = first + 1;
    while (end < files.length && end - first < maxUnitFiles && bytes + files[end].bytes <= maxUnitBytes) {
      bytes += files[end++].bytes;
    }
    units.push({
      id: `videos ${first}`,
      expected_episodes: end - first,
      first_index: first,
      bytes,
      look_bytes: Math.min(bytes, (end - first) * maxHeaderBytes),
      selector: null,
    });
    first = end;
  }
  return units;
}

async function* readUnit(
  tree: SourceTree,
  unit: WorkUnit,
  { signal, onBytes, look }: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  const hasher = look === true ? noHashes : createFileHasher(tree);
  let bytes = 0;
  for (let index = unit.first_index; index < unit.first_index + unit.expected_episodes; index++) {
    signal?.throwIfAborted();
    const file = tree.files[index];
    yield await readVideo(tree, file, index, hasher, look === true);
    bytes += file.bytes;
    onBytes?.(bytes);
  }
}
