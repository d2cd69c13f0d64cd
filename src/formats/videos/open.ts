import type { Episode } from '#core/episode';
import { createFileHasher, type FileEntry, noHashes, type SourceTree } from '#io/sources';
import type { Dataset, ReadOptions, Recognition, Unreadable, WorkUnit } from '../shared/reader.ts';
import { readVideo } from './read-video.ts';

/** Videos in one work unit: several small ones, or one large. */
const unitFiles = 32;
const unitBytes = 256 * 1024 * 1024;

/** An episode a file, in the order of the listing. */
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
  { signal, onBytes, look }: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  const hasher = look === true ? noHashes : createFileHasher(tree);
  let bytes = 0;
  for (let index = unit.first_index; index < unit.first_index + unit.expected_episodes; index++) {
    signal?.throwIfAborted();
    const file = tree.files[index];
    yield await readVideo(tree, file, index, hasher);
    bytes += file.bytes;
    onBytes?.(bytes);
  }
}
