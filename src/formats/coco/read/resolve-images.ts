import { isSplit } from '../../shared/pictures/class-labels.ts';

/** Finds the picture that an entry of an annotation file means, among the pictures of the set. */
export class ImageResolver {
  readonly #pictures: ReadonlyMap<string, number>;
  /** By last part of the path; -1 where several pictures share it. */
  readonly #byName = new Map<string, number>();

  /** `pictures`: path to number. */
  constructor(pictures: ReadonlyMap<string, number>) {
    this.#pictures = pictures;
    for (const [path, number] of pictures) {
      const name = lastPart(path);
      this.#byName.set(name, this.#byName.has(name) ? -1 : number);
    }
  }

  /**
   * Beside the annotation file, then where the common layouts put images of its split, then by a name that only one
   * picture has. Null: there is no such picture.
   */
  resolve(annotationFile: string, fileName: string): number | null {
    const name = fileName.replace(/\\/g, '/').replace(/^\.\//, '');
    for (const folder of foldersOf(annotationFile)) {
      const found = this.#pictures.get(folder + name);
      if (found !== undefined) return found;
    }
    const alone = this.#byName.get(lastPart(name));
    return alone === undefined || alone < 0 ? null : alone;
  }
}

function foldersOf(annotationFile: string): string[] {
  const own = annotationFile.slice(0, annotationFile.lastIndexOf('/') + 1);
  const stem = lastPart(annotationFile).replace(/\.json$/i, '');
  const split = stem.split(/[_.-]/).find((part) => isSplit(part.replace(/\d{4}$/, '')));
  const bySplit =
    split === undefined ? [] : [`images/${split}/`, `${split}/`, `${split}/images/`, `${split}/data/`];
  return [own, `${own}images/`, ...bySplit, 'images/', '', 'data/'];
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
