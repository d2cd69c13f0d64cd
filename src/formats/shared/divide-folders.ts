import { append, folderOf } from './file-names.ts';
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
    const place = isSingle ? folderOf(folder) : folder;
    for (const path of own) append(datasets, place, path);
  }
  return [...datasets].map(([folder, own]) => ({
    folder,
    recognition: recognise(folder === '' ? own : own.map((path) => path.slice(folder.length + 1)), folder),
  }));
}
