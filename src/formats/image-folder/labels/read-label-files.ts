import { AssayError, listText, sha256 } from '#core';
import type { Finding, PictureLabel, SourceRef } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { folderOf, foldersAround, splitPath } from '../../shared/file-names.ts';
import { NamedFiles } from '../../shared/named-files.ts';
import type { LabelledPicture } from './label-format.ts';
import { identifyLabels } from './label-formats.ts';

const maxFile_bytes = 128 * 1024 * 1024;
const maxNamedFiles = 20;

/** Labels of one picture, with the file that they are from. */
interface OwnLabels {
  readonly labels: readonly PictureLabel[];
  readonly captions: readonly { readonly text: string; readonly source: string }[];
  readonly size_px: LabelledPicture['size_px'];
  readonly source: SourceRef;
}

/** Labels of an image folder from its label files. */
export interface FolderLabels {
  readonly of: ReadonlyMap<string, OwnLabels>;
  readonly findings: readonly Finding[];
  /** Returns the finding on a picture whose labels may be in a file that could not be read; `null` for others. */
  unread(picture: string): Finding | null;
}

/**
 * Reads label files and assigns their labels to pictures; of several files for one picture the first counts, and
 * damaged files and labels without a clear picture become findings.
 */
export async function readLabelFiles(
  tree: SourceTree,
  paths: readonly string[],
  pictures: readonly string[],
): Promise<FolderLabels> {
  const reading = new Reading(tree, pictures);
  for (const path of paths) await reading.read(path);
  return reading;
}

function ambiguousFinding(name: string, path: string): Finding {
  return {
    ...{ code: 'labels_ambiguous', severity: 'error', path },
    message: `${path} has labels that fit several images: ${name} and others`,
    advice: 'name each image in the label file with its folder, and name label files like their images',
  };
}

class Reading implements FolderLabels {
  readonly of = new Map<string, OwnLabels>();
  readonly #tree: SourceTree;
  readonly #pictures: NamedFiles;
  readonly #failed: Finding[] = [];
  /** Findings on damaged label files by the picture that they are named like. */
  readonly #failedFor = new Map<string, Finding>();
  /** First finding on another damaged label file by the folder whose pictures it may be about. */
  readonly #failedIn = new Map<string, Finding>();
  readonly #absent: string[] = [];
  readonly #repeated: string[] = [];
  readonly #skipped = new Set<string>();
  /** Pictures that labels may be about, with their label file. */
  readonly #ambiguous = new Map<string, string>();
  readonly #around: ReadonlySet<string>;

  constructor(tree: SourceTree, pictures: readonly string[]) {
    this.#tree = tree;
    this.#pictures = new NamedFiles(pictures);
    this.#around = foldersAround(pictures);
  }

  async read(path: string): Promise<void> {
    try {
      const bytes = await this.#tree.read(path, maxFile_bytes);
      const text = new TextDecoder().decode(bytes);
      const format = identifyLabels(path, text.slice(0, 256 * 1024));
      if (format === null)
        throw new AssayError('unreadable_input', `${path} is in no known label format`, { path });
      const { pictures, skipped } = format.parse(text.replace(/^\ufeff/, ''), path);
      const source: SourceRef = { path, bytes: bytes.length, sha256: sha256(bytes), role: 'annotation' };
      for (const picture of pictures) this.#take(picture, source, pictures.length === 1);
      for (const kind of skipped) this.#skipped.add(`${format.title} ${kind}`);
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown;
      const advice = thrown.advice ?? 'export the labels again';
      const failure: Finding = {
        ...{ code: 'label_file_unreadable', severity: 'error', path, message: thrown.message, advice },
      };
      this.#failed.push(failure);
      const { folder, stem } = splitPath(path);
      const own = this.#pictures.namesakes(folder, stem);
      for (const picture of own) this.#failedFor.set(picture, failure);
      if (own.length > 0) return;
      let at = folder;
      while (!this.#around.has(at)) at = folderOf(at);
      if (!this.#failedIn.has(at)) this.#failedIn.set(at, failure);
    }
  }

  #take({ name, size_px, labels, captions }: LabelledPicture, source: SourceRef, isOnly: boolean): void {
    const { path } = source;
    const candidates = this.#candidates(path, name, isOnly);
    const [picture] = candidates;
    if (candidates.length > 1) for (const one of candidates) this.#ambiguous.set(one, path);
    else if (picture === undefined) this.#absent.push(name ?? path);
    else if (this.of.has(picture)) this.#repeated.push(picture);
    else
      this.of.set(picture, {
        labels,
        captions: captions.map((text) => ({ text, source: path })),
        size_px,
        source,
      });
  }

  /** Returns the pictures that labels may be about: by the name that the file gives, and by its own if it has one picture. */
  #candidates(path: string, name: string | null, isOnly: boolean): readonly string[] {
    const { folder, stem } = splitPath(path);
    const named = name === null ? [] : this.#pictures.find(folder, name);
    const own = isOnly || name === null ? this.#pictures.namesakes(folder, stem) : [];
    if (named.length === 0) return own;
    if (own.length !== 1) return named;
    // The name inside a file may be the old one of its picture, which another picture has now.
    return named.includes(own[0]) ? own : [...named, ...own];
  }

  unread(picture: string): Finding | null {
    if (this.of.has(picture)) return null;
    const file = this.#ambiguous.get(picture);
    if (file !== undefined) return ambiguousFinding(picture, file);
    const failure = this.#failedFor.get(picture);
    if (failure !== undefined || this.#failedIn.size === 0) return failure ?? null;
    for (let at = splitPath(picture).folder; ; at = folderOf(at)) {
      const failed = this.#failedIn.get(at);
      if (failed !== undefined || at === '') return failed ?? null;
    }
  }

  get findings(): readonly Finding[] {
    const add = (code: string, severity: Finding['severity'], message: string, advice: string): Finding => ({
      ...{ code, severity, path: null, message, advice },
    });
    const [absent, repeated] = [this.#absent, this.#repeated];
    return [
      ...this.#failed.slice(0, maxNamedFiles),
      ...this.#ambiguousFindings(),
      ...(absent.length === 0
        ? []
        : [
            add(
              'labels_without_picture',
              'warning',
              `label files have labels for ${absent.length} images that do not exist: ${listText(absent, 3)}`,
              'restore the images, or delete their labels',
            ),
          ]),
      ...(repeated.length === 0
        ? []
        : [
            add(
              'labels_repeated',
              'warning',
              `${repeated.length} images have labels in several files, of which the first was read: ${listText(repeated, 3)}`,
              'keep one label file for each image',
            ),
          ]),
      ...(this.#skipped.size === 0
        ? []
        : [
            add(
              'label_kinds_not_read',
              'warning',
              `label files contain types of labels that are not read: ${listText([...this.#skipped], 5)}`,
              'export the labels as COCO to have them evaluated',
            ),
          ]),
    ];
  }

  /** Returns one finding for each label file with labels that fit several images. */
  #ambiguousFindings(): readonly Finding[] {
    const byFile = new Map([...this.#ambiguous].reverse().map(([picture, path]) => [path, picture]));
    return [...byFile].slice(0, maxNamedFiles).map(([path, picture]) => ambiguousFinding(picture, path));
  }
}
