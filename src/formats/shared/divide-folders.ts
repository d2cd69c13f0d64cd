import type { DividedRecognition, Recognition } from './reader.ts';

/**
 * Groups recordings into one dataset per folder, so that recordings of different robots are not compared with each
 * other. A folder counts as a single recording, and joins its parent folder's dataset, if it holds one file or if
 * `isRecording` returns true for its files. `recognise` builds the recognition of a dataset from its files (relative to
 * the folder) and the folder's path.
 */
export function divideByFolder(
  { files }: Recognition,
  isRecording: (files: readonly string[]) => boolean,
  recognise: (files: readonly string[], folder: string) => Recognition,
): readonly DividedRecognition[] {
  const byFolder = new Map<string, string[]>();
  for (const path of files ?? []) append(byFolder, folderOf(path), path);
  const datasets = new Map<string, string[]>();
  for (const [folder, own] of byFolder) {
    const isSingle = own.length === 1 || isRecording(own);
    append(datasets, isSingle ? folderOf(folder) : folder, ...own);
  }
  return [...datasets].map(([folder, own]) => ({
    folder,
    recognition: recognise(folder === '' ? own : own.map((path) => path.slice(folder.length + 1)), folder),
  }));
}

/** Returns the folder part of a path without a trailing slash; '' for a file at the top level. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function append(into: Map<string, string[]>, key: string, ...paths: readonly string[]): void {
  const existing = into.get(key);
  if (existing === undefined) into.set(key, [...paths]);
  else existing.push(...paths);
}
