import type { FileEntry, SourceTree } from '#io/sources';
import { divideByFolder } from '../shared/divide-folders.ts';
import type { DividedRecognition, Recognition } from '../shared/reader.ts';
import { containerOf, headBytes } from './containers.ts';

const called = /\.(mp4|m4v|mov|qt|mkv|webm|avi|ts|mts|m2ts|mpg|mpeg|flv|ogv|3gp)$/i;

/** Files that are called videos and begin as a container of them does. */
export async function recogniseVideos(
  tree: SourceTree,
  misnamed?: ReadonlySet<string>,
): Promise<Recognition | null> {
  const found: FileEntry[] = [];
  const names = new Set<string>();
  for (const file of tree.files) {
    const isCandidate = called.test(file.path) || misnamed?.has(file.path);
    if (!isCandidate || file.bytes === 0) continue;
    const container = containerOf(await tree.head(file.path, headBytes).catch(() => new Uint8Array()));
    if (container === null) continue;
    names.add(container.name);
    found.push(file);
  }
  if (found.length === 0) return null;
  return {
    format: 'videos',
    evidence: [
      `${found.length} video ${found.length === 1 ? 'file' : 'files'}; containers by their first bytes: ${[...names].sort().join(', ')}`,
    ],
    files: found.map((file) => file.path),
  };
}

export function divideVideos(whole: Recognition): readonly DividedRecognition[] {
  return divideByFolder(
    whole,
    () => false,
    (files) => partOf(whole, files),
  );
}

function partOf(whole: Recognition, files: readonly string[]): Recognition {
  if (files.length === whole.files?.length) return { ...whole, files };
  return { ...whole, evidence: [`${files.length} of ${whole.evidence[0]}`], files };
}

/** By its first bytes. */
export function startsAsVideo(head: Uint8Array): boolean {
  return containerOf(head) !== null;
}
