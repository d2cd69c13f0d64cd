import type { FileEntry, SourceTree } from '#io/sources';
import { divideByFolder } from '../shared/divide-folders.ts';
import { isVideoName } from '../shared/file-names.ts';
import type { DividedRecognition, Recognition } from '../shared/reader.ts';
import { detectContainer, headBytes } from './containers.ts';

/**
 * Recognises files with the first bytes of a video that have the name of one or are in `misnamed`; `null` if there is
 * none.
 */
export async function recogniseVideos(
  tree: SourceTree,
  misnamed?: ReadonlySet<string>,
): Promise<Recognition | null> {
  const found: FileEntry[] = [];
  const names = new Set<string>();
  for (const file of tree.files) {
    const isCandidate = isVideoName(file.path) || misnamed?.has(file.path);
    if (!isCandidate || file.bytes === 0) continue;
    const container = detectContainer(await tree.head(file.path, headBytes).catch(() => new Uint8Array()));
    if (container === null) continue;
    names.add(container.name);
    found.push(file);
  }
  if (found.length === 0) return null;
  return {
    format: 'videos',
    evidence: [
      `${found.length} video ${found.length === 1 ? 'file' : 'files'}; containers detected by first bytes: ${[...names].sort().join(', ')}`,
    ],
    files: found.map((file) => file.path),
  };
}

/** Divides videos into one dataset per folder; a folder with a single video counts as one recording of its parent. */
export function divideVideos(recognition: Recognition): readonly DividedRecognition[] {
  return divideByFolder(
    recognition,
    () => false,
    (files) => selectFiles(recognition, files),
  );
}

function selectFiles(recognition: Recognition, files: readonly string[]): Recognition {
  if (files.length === recognition.files?.length) return { ...recognition, files };
  return { ...recognition, evidence: [`${files.length} of ${recognition.evidence[0]}`], files };
}

/** True if the first bytes are those of a video container. */
export function startsAsVideo(head: Uint8Array): boolean {
  return detectContainer(head) !== null;
}
