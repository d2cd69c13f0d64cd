import { append, folderOf, isBelow, patternOf, splitPath } from './file-names.ts';

/** Number of levels between a file and the folder of what it belongs to, up or down. */
const maxLevels = 2;
/** Maximum number of parallel folders, such as `images/train` for `labels/train`; with more, none is meant. */
const maxParallel = 16;
/** Maximum number of files of one name that are compared with the name in a text; with more, none is meant. */
const maxSameName = 2000;
/** Maximum number of neighbouring folders in which files of the same name are searched. */
const maxNeighbours = 64;

/**
 * Index of a dataset's files by name, stem and folder, to find the file that a text mentions or a label file belongs
 * to.
 */
export class NamedFiles {
  /** Paths by folder. */
  readonly byFolder = new Map<string, string[]>();
  readonly #all: ReadonlySet<string>;
  readonly #byName = new Map<string, string[]>();
  readonly #byStem = new Map<string, string[]>();
  /** Key: folder, line break, stem. */
  readonly #byFolderAndStem = new Map<string, string[]>();
  readonly #below = new Map<string, string[]>();
  /** Folders by their path with one part left out, then by the pattern of that part. */
  readonly #parallel = new Map<string, Map<string, string[]>>();
  readonly #at = new Map<string, readonly string[]>();
  readonly #beside = new Map<string, readonly string[]>();

  constructor(paths: readonly string[]) {
    this.#all = new Set(paths);
    for (const path of paths) {
      const { folder, name, stem } = splitPath(path);
      append(this.byFolder, folder, path);
      append(this.#byName, name, path);
      append(this.#byStem, stem, path);
      append(this.#byFolderAndStem, `${folder}\n${stem}`, path);
    }
    for (const folder of this.byFolder.keys()) this.#addFolder(folder);
  }

  #addFolder(folder: string): void {
    let above = folder;
    for (let level = 0; level < maxLevels && above !== ''; level++) {
      above = folderOf(above);
      append(this.#below, above, folder);
    }
    for (const { key, part } of partsLeftOut(folder)) {
      const byPattern = this.#parallel.get(key) ?? new Map<string, string[]>();
      this.#parallel.set(key, byPattern);
      append(byPattern, patternOf(part), folder);
    }
  }

  /** Returns the file that a text in `folder` mentions; `null` if there is none, or several could be meant. */
  resolve(folder: string, mention: string): string | null {
    const found = this.find(folder, mention);
    return found.length === 1 ? found[0] : null;
  }

  /** Returns the files that a text in `folder` may mention: none, one, or several if the name is ambiguous. */
  find(folder: string, mention: string): readonly string[] {
    const clean = mention.replaceAll('\\', '/').replace(/^(\.\.?\/)+/, '');
    for (const path of [folder === '' ? clean : `${folder}/${clean}`, clean])
      if (this.#all.has(path)) return [path];
    const name = clean.slice(clean.lastIndexOf('/') + 1);
    // Label Studio puts eight hex digits before the name of an upload; Datumaro leaves the extension out.
    const named =
      this.#byName.get(name) ??
      this.#byName.get(name.replace(/^[0-9a-f]{8}-/, '')) ??
      this.#byStem.get(name) ??
      [];
    if (named.length <= 1 || named.length > maxSameName) return named;
    const ending = clean.includes('/') ? named.filter((path) => `/${path}`.includes(`/${clean}`)) : [];
    if (ending.length === 1) return ending;
    const below = named.filter((path) => isBelow(path, folder));
    return below.length === 1 ? below : named;
  }

  /** Returns the files of a folder with this stem. */
  withStem(folder: string, stem: string): readonly string[] {
    return this.#byFolderAndStem.get(`${folder}\n${stem}`) ?? [];
  }

  /**
   * Returns the files with this stem that a file in `folder` may belong to: those in the folder, else in neighbouring
   * folders; none if there are more than 64 of these.
   */
  namesakes(folder: string, stem: string): readonly string[] {
    const own = this.withStem(folder, stem);
    if (own.length > 0) return own;
    const near = this.neighboursOf(folder);
    return near.length > maxNeighbours ? [] : near.flatMap((other) => this.withStem(other, stem));
  }

  /** Returns those of the folder and of the folders up to two levels below it that hold files. */
  foldersAt(folder: string): readonly string[] {
    return remember(this.#at, folder, () => {
      const below = this.#below.get(folder) ?? [];
      return this.byFolder.has(folder) ? [folder, ...below] : below;
    });
  }

  /**
   * Returns the folders whose files a file in `folder` may belong to: `foldersAt`, else those up to two levels above it
   * and those parallel to it.
   *
   * Parallel folders differ in one part of the path and not by a number (`images/train` for `labels/train`, but not
   * `episode_1` for `episode_2`).
   */
  neighboursOf(folder: string): readonly string[] {
    const own = this.foldersAt(folder);
    return own.length > 0 ? own : remember(this.#beside, folder, () => this.#foldersBeside(folder));
  }

  #foldersBeside(folder: string): readonly string[] {
    const found: string[] = [];
    let above = folder;
    for (let level = 0; level < maxLevels && above !== ''; level++) {
      above = folderOf(above);
      if (this.byFolder.has(above)) found.push(above);
    }
    return [...found, ...this.#parallelTo(folder)];
  }

  #parallelTo(folder: string): string[] {
    const found: string[] = [];
    for (const { key, part } of partsLeftOut(folder)) {
      const pattern = patternOf(part);
      for (const [other, folders] of this.#parallel.get(key) ?? []) {
        if (other !== pattern) found.push(...folders.slice(0, maxParallel + 1));
        if (found.length > maxParallel) return [];
      }
    }
    return found;
  }
}

/** Returns the value of a key; the first time computes it and stores it in `known`. */
export function remember<Value>(known: Map<string, Value>, key: string, compute: () => Value): Value {
  const value = known.get(key) ?? compute();
  known.set(key, value);
  return value;
}

function* partsLeftOut(folder: string): Generator<{ readonly key: string; readonly part: string }> {
  if (folder === '') return;
  const parts = folder.split('/');
  for (const [i, part] of parts.entries()) yield { key: parts.with(i, '').join('/'), part };
}
