import { append, folderOf } from './file-names.ts';
import type { DividedRecognition, Recognition } from './reader.ts';

/**
 * Groups the files of a recognition into one dataset per folder; a folder with one file, or for whose files
 * `isRecording` is true, is one recording of its parent folder's dataset.
 *
 * Recordings of different robots are thus not compared with each other. `recognise` builds the recognition of a dataset
 * from its files (relative to the folder) and the folder's path.
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
    const dataset = isSingle ? folderOf(folder) : folder;
    for (const path of own) append(datasets, dataset, path);
  }
  return [...datasets].map(([folder, own]) => ({
    folder,
    recognition: recognise(folder === '' ? own : own.map((path) => path.slice(folder.length + 1)), folder),
  }));
}
