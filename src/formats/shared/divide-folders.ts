import type { DividedRecognition, Recognition } from './reader.ts';

/**
 * One dataset a folder, so that recordings of different robots are not held against each other. A folder for a single
 * recording counts with the others of the folder above: one with a single file, and one that `isRecording` says is.
 * `recognise` says what is known of the files of one dataset, named from its folder.
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
    const alone = own.length === 1 || isRecording(own);
    append(datasets, alone ? folderOf(folder) : folder, ...own);
  }
  return [...datasets].map(([folder, own]) => ({
    folder,
    recognition: recognise(folder === '' ? own : own.map((path) => path.slice(folder.length + 1)), folder),
  }));
}

/** Empty for what lies at the top. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function append(into: Map<string, string[]>, key: string, ...paths: readonly string[]): void {
  const own = into.get(key);
  if (own === undefined) into.set(key, [...paths]);
  else own.push(...paths);
}
