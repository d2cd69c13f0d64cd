import { patternOf, splitPath } from '../../shared/file-names.ts';
import { NamedFiles, remember } from '../../shared/named-files.ts';
import type { RecognisedDataset } from '../recognised-dataset.ts';

/** Metadata and label files of a picture dataset. */
const sidecars = /\.(jsonl?|csv|xml)$/i;
const minSequence = 10;
/** Share of a folder's pictures that must be named alike, apart from digits, to be frames of one recording. */
const minAlike = 0.9;

/** Pictures, videos, or recordings with signals of their own, of one or many datasets, to find what belongs to them. */
export class FileIndex extends NamedFiles {
  readonly noun: 'picture' | 'video' | 'recording';
  readonly #datasets: ReadonlyMap<string, RecognisedDataset>;
  readonly #recordingsAt = new Map<string, readonly string[]>();

  constructor(noun: FileIndex['noun'], datasets: readonly RecognisedDataset[]) {
    const byPath = new Map(
      datasets.flatMap((dataset) => recordingFiles(dataset).map((path) => [path, dataset] as const)),
    );
    super([...byPath.keys()]);
    this.noun = noun;
    this.#datasets = byPath;
  }

  /** Returns the dataset that a file is part of; the file must be in the index. */
  datasetOf(path: string): RecognisedDataset {
    return this.#datasets.get(path)!;
  }

  /** Returns the folder and those up to two levels below it, as far as `isRecordingFolder` is true for them; cached. */
  recordingFoldersAt(folder: string): readonly string[] {
    return remember(this.#recordingsAt, folder, () =>
      this.foldersAt(folder).filter((one) => this.isRecordingFolder(one)),
    );
  }

  /** Returns the number of files in the folder and up to two levels below it. */
  countAt(folder: string): number {
    return this.foldersAt(folder).reduce((sum, own) => sum + (this.byFolder.get(own)?.length ?? 0), 0);
  }

  /**
   * True if the folder holds videos, or at least 10 pictures of which 90 % are named alike apart from digits; always
   * false in an index of other recordings.
   */
  isRecordingFolder(folder: string): boolean {
    const own = this.byFolder.get(folder) ?? [];
    return own.length > 0 && (this.noun === 'video' || (this.noun === 'picture' && isSequence(own)));
  }
}

/**
 * Returns the paths of a dataset's files relative to the searched folder, without JSON, CSV and XML files of picture
 * datasets; empty for folder readers, which list no files.
 */
export function recordingFiles({ path, recognition }: RecognisedDataset): readonly string[] {
  const base = path === '' ? '' : `${path}/`;
  return (recognition.files ?? []).flatMap((file) =>
    recognition.format === 'pictures' && sidecars.test(file) ? [] : [base + file],
  );
}

function isSequence(paths: readonly string[]): boolean {
  if (paths.length < minSequence) return false;
  const patterns = new Map<string, number>();
  for (const path of paths) {
    const pattern = patternOf(splitPath(path).name);
    if (pattern.includes('#')) patterns.set(pattern, (patterns.get(pattern) ?? 0) + 1);
  }
  return [...patterns.values()].some((count) => count >= minAlike * paths.length);
}
