import { areNeighbours, parentOf, patternOf, splitPath } from '../../shared/file-names.ts';
import { NamedFiles } from '../../shared/named-files.ts';
import type { RecognisedDataset } from '../recognised-dataset.ts';

/** Formats whose episodes are pictures or videos only, so that any signals of the same recording are elsewhere. */
const cameraFormats: ReadonlySet<string> = new Set(['pictures', 'videos']);
/** Metadata and label files of a picture dataset. */
const sidecars = /\.(jsonl?|csv|xml)$/i;
const minSequence = 10;
/** Share of a folder's pictures that must be named alike, apart from digits, to be frames of one recording. */
const minAlike = 0.9;

/** Files of one dataset, to find the other files that belong to them. */
export class Recordings {
  readonly dataset: RecognisedDataset;
  readonly isCameraOnly: boolean;
  /** Word for one of its episodes. */
  readonly noun: 'picture' | 'video' | 'recording';
  /** Number of pictures, videos or files of recordings. */
  readonly count: number;
  /** Paths relative to the searched folder, by folder. */
  readonly byFolder = new Map<string, string[]>();
  readonly #files: NamedFiles;
  /** Key: folder, line break, stem. */
  readonly #byStem = new Map<string, string[]>();
  readonly #children = new Map<string, string[]>();
  readonly #neighbours = new Map<string, readonly string[]>();

  constructor(dataset: RecognisedDataset) {
    this.dataset = dataset;
    const { format } = dataset.recognition;
    this.isCameraOnly = cameraFormats.has(format);
    this.noun = format === 'pictures' ? 'picture' : format === 'videos' ? 'video' : 'recording';
    const base = dataset.path === '' ? '' : `${dataset.path}/`;
    const paths = (dataset.recognition.files ?? []).flatMap((file) =>
      this.isCameraOnly && sidecars.test(file) ? [] : [base + file],
    );
    this.count = paths.length;
    this.#files = new NamedFiles(paths);
    for (const path of paths) {
      const { folder, stem } = splitPath(path);
      append(this.byFolder, folder, path);
      append(this.#byStem, `${folder}\n${stem}`, path);
    }
    for (const folder of this.byFolder.keys())
      if (folder !== '') append(this.#children, parentOf(folder), folder);
  }

  /** Returns the files of a folder with this stem. */
  withStem(folder: string, stem: string): readonly string[] {
    return this.#byStem.get(`${folder}\n${stem}`) ?? [];
  }

  /** Returns the folder and those directly in it, as far as they hold files of the dataset. */
  foldersAt(folder: string): readonly string[] {
    const children = this.#children.get(folder) ?? [];
    return this.byFolder.has(folder) ? [folder, ...children] : children;
  }

  /** Returns the number of files in the folder and in those directly in it. */
  countAt(folder: string): number {
    return this.foldersAt(folder).reduce((sum, own) => sum + (this.byFolder.get(own)?.length ?? 0), 0);
  }

  /** Returns the folders with files of the dataset that are neighbours of a folder. */
  neighboursOf(folder: string): readonly string[] {
    const known = this.#neighbours.get(folder);
    if (known !== undefined) return known;
    const found = [...this.byFolder.keys()].filter((own) => areNeighbours(own, folder));
    this.#neighbours.set(folder, found);
    return found;
  }

  /** Returns the file that a text in `folder` names; `null` if there is none, or several could be meant. */
  resolve(folder: string, mention: string): string | null {
    return this.#files.resolve(folder, mention);
  }

  /** True if the folder holds videos, or frames of one recording: pictures numbered one after the other. */
  isRecordingFolder(folder: string): boolean {
    const own = this.byFolder.get(folder);
    if (own === undefined || !this.isCameraOnly) return false;
    return this.noun === 'video' || isSequence(own);
  }

  /** Returns paths relative to the dataset's folder. */
  relative(paths: readonly string[]): string[] {
    const { path: base } = this.dataset;
    return base === '' ? [...paths] : paths.map((path) => path.slice(base.length + 1));
  }
}

function isSequence(paths: readonly string[]): boolean {
  if (paths.length < minSequence) return false;
  const patterns = new Map<string, number>();
  for (const path of paths) {
    const pattern = patternOf(splitPath(path).name);
    if (pattern.includes('#')) patterns.set(pattern, (patterns.get(pattern) ?? 0) + 1);
  }
  return Math.max(0, ...patterns.values()) >= minAlike * paths.length;
}

function append(into: Map<string, string[]>, key: string, value: string): void {
  const own = into.get(key);
  if (own === undefined) into.set(key, [value]);
  else own.push(value);
}
