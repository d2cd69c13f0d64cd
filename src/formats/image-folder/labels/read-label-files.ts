import { AssayError, listText, sha256 } from '#core';
import type { Finding, PictureLabel, SourceRef } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { foldersAround, parentOf, splitPath } from '../../shared/file-names.ts';
import { NamedFiles } from '../../shared/named-files.ts';
import type { LabelledPicture } from './label-format.ts';
import { identifyLabels } from './label-formats.ts';

const maxFile_bytes = 256 * 1024 * 1024;
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

/** Reads the label files of an image folder. Reports damaged ones, and labels of pictures that are not there. */
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
    message: `${path} has labels for ${name}, but several images have this name`,
    advice: 'name the images in the label file with their folders',
  };
}

class Reading implements FolderLabels {
  readonly of = new Map<string, OwnLabels>();
  readonly #tree: SourceTree;
  readonly #pictures: NamedFiles;
  readonly #failed: Finding[] = [];
  /** First finding on a damaged label file by the folder whose pictures it may be about. */
  readonly #failedIn = new Map<string, Finding>();
  readonly #absent: string[] = [];
  readonly #repeated: string[] = [];
  readonly #skipped = new Set<string>();
  /** Names that several pictures have, with the label file that names them. */
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
      for (const picture of pictures) this.#take(picture, source);
      for (const kind of skipped) this.#skipped.add(`${format.title} ${kind}`);
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown;
      const advice = thrown.advice ?? 'export the labels again';
      const failure: Finding = {
        ...{ code: 'label_file_unreadable', severity: 'error', path, message: thrown.message, advice },
      };
      this.#failed.push(failure);
      let at = splitPath(path).folder;
      while (!this.#around.has(at)) at = parentOf(at);
      if (!this.#failedIn.has(at)) this.#failedIn.set(at, failure);
    }
  }

  #take({ name, size_px, labels, captions }: LabelledPicture, source: SourceRef): void {
    const { path } = source;
    const named = name === null ? null : this.#pictures.resolve(splitPath(path).folder, name);
    const picture = named ?? this.#pictures.namesake(path);
    const bare = splitPath((name ?? path).replaceAll('\\', '/')).name;
    if (picture === null && this.#pictures.hasName(bare)) this.#ambiguous.set(bare, path);
    else if (picture === null) this.#absent.push(name ?? path);
    else if (this.of.has(picture)) this.#repeated.push(picture);
    else
      this.of.set(picture, {
        labels,
        captions: captions.map((text) => ({ text, source: path })),
        size_px,
        source,
      });
  }

  unread(picture: string): Finding | null {
    if (this.of.has(picture)) return null;
    const { name } = splitPath(picture);
    const file = this.#ambiguous.get(name);
    if (file !== undefined) return ambiguousFinding(name, file);
    if (this.#failedIn.size === 0) return null;
    for (let at = splitPath(picture).folder; ; at = parentOf(at)) {
      const failure = this.#failedIn.get(at);
      if (failure !== undefined || at === '') return failure ?? null;
    }
  }

  get findings(): readonly Finding[] {
    const add = (code: string, severity: Finding['severity'], message: string, advice: string): Finding => ({
      ...{ code, severity, path: null, message, advice },
    });
    const [absent, repeated] = [this.#absent, this.#repeated];
    return [
      ...this.#failed.slice(0, maxNamedFiles),
      ...[...this.#ambiguous].slice(0, maxNamedFiles).map(([name, path]) => ambiguousFinding(name, path)),
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
              `label files have kinds of labels that are not read: ${listText([...this.#skipped], 5)}`,
              'export the labels as COCO to have them evaluated',
            ),
          ]),
    ];
  }
}
