import { AssayError, countPhrase } from '#core';
import type { Finding, PictureLabel, SourceRef } from '#core/episode';
import type { FileEntry, SourceTree } from '#io/sources';
import { isPictureName } from '../shared/file-names.ts';
import { type PictureEntry, pictureDataset } from '../shared/picture-dataset.ts';
import type { Dataset, Recognition } from '../shared/reader.ts';
import { isSplitName } from '../shared/splits.ts';
import { type CocoFile, readAnnotations } from './read-annotations.ts';
import { findAnnotationFiles } from './recognise.ts';
import { cocoFinding } from './rules.ts';

/**
 * Opens a COCO set as a dataset of pictures, or throws if no annotation file could be read; entries without a picture
 * and pictures without an entry become findings.
 * @throws AssayError `unreadable_input` if no annotation file could be read.
 */
export async function openCoco(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  const pictures = tree.files.filter(
    (file) => isPictureName(file.path) && !/^annotations?\//i.test(file.path),
  );
  const set = new CocoSet(pictures);
  for (const path of await findAnnotationFiles(tree)) set.add(await readAnnotations(tree, path));
  if (set.files.length === 0) throw new AssayError('unreadable_input', 'no annotation file could be read');
  return pictureDataset({
    tree,
    recognition,
    findings: set.close(),
    facts: {
      format: 'coco',
      version: null,
      declared_episodes: set.declared,
      declared_frames: null,
      declared_rate_hz: null,
      robot: null,
      declared_cameras: [],
    },
    bytes: pictures.map((file) => file.bytes),
    entry: (index) => set.entry(index),
  });
}

/** Annotation file of a picture, and the picture's image number in it. */
interface Link {
  readonly file: CocoFile;
  readonly image: number;
}

class CocoSet {
  readonly files: CocoFile[] = [];
  readonly #pictures: readonly FileEntry[];
  readonly #resolver: ImageResolver;
  readonly #links = new Map<number, Link[]>();
  readonly #labelIndexes = new Map<CocoFile, LabelIndex>();
  readonly #findings: Finding[] = [];

  constructor(pictures: readonly FileEntry[]) {
    this.#pictures = pictures;
    this.#resolver = new ImageResolver(new Map(pictures.map((file, i) => [file.path, i])));
  }

  /** Number of distinct pictures listed; several files of a split may describe the same pictures. */
  get declared(): number {
    const names = new Set<string>();
    for (const file of this.files)
      for (const { file_name } of file.images.values()) names.add(`${splitOf(file)}/${file_name}`);
    return names.size;
  }

  /** True if any file has labels; sets of captions or image names only have none. */
  get #anyLabels(): boolean {
    return this.files.some((file) => file.image.length > 0);
  }

  add(file: CocoFile): void {
    this.files.push(file);
    checkAnnotations(file);
    this.#findings.push(...fileFindings(file));
    const absent: string[] = [];
    const found = new Set<number>();
    for (const [image, { file_name }] of file.images) {
      const picture = this.#resolver.resolve(file.path, file_name);
      if (picture === null) absent.push(file_name);
      else if (!found.has(picture)) {
        found.add(picture);
        this.#links.set(picture, [...(this.#links.get(picture) ?? []), { file, image }]);
      }
    }
    if (absent.length > 0) this.#findings.push(absentFinding(file, absent));
    this.#labelIndexes.set(file, indexLabels(file));
  }

  close(): Finding[] {
    const unlisted = this.#pictures.filter((_, i) => !this.#links.has(i)).map((file) => file.path);
    if (unlisted.length > 0) this.#findings.push(unlistedFinding(unlisted));
    return this.#findings;
  }

  entry(index: number): PictureEntry {
    const { path, bytes } = this.#pictures[index];
    const links = [...(this.#links.get(index) ?? [])].sort((a, b) => labelRank(a.file) - labelRank(b.file));
    const labelled = links.find((link) => this.#labels(link).length > 0);
    const size = links
      .map(({ file, image }) => file.images.get(image)!)
      .find((one) => one.width > 0 && one.height > 0);
    const captions = links.flatMap(({ file, image }) =>
      (file.captions.get(image) ?? []).map((text) => ({ text, source: file.path })),
    );
    const used = new Set(links.map(({ file }) => file.source));
    return {
      path,
      bytes,
      labels: labelled !== undefined ? this.#labels(labelled) : this.#anyLabels ? [] : null,
      size_px: size === undefined ? null : [size.width, size.height],
      captions,
      annotations: [...used] satisfies SourceRef[],
    };
  }

  #labels({ file, image }: Link): PictureLabel[] {
    const { starts, order } = this.#labelIndexes.get(file)!;
    const labels: PictureLabel[] = [];
    for (let k = starts[image]; k < starts[image + 1]; k++) {
      const i = order[k];
      const [x, y, width, height] = [0, 1, 2, 3].map((n) => file.box.at(4 * i + n));
      const category = file.categories.get(file.category.at(i)) ?? '';
      labels.push({ category, box_px: Number.isNaN(x) ? null : [x, y, width, height] });
    }
    return labels;
  }
}

/** Labels grouped by image: those of image m are `order[starts[m]]` to `order[starts[m + 1] - 1]`. */
interface LabelIndex {
  readonly starts: Int32Array;
  readonly order: Int32Array;
}

function indexLabels(file: CocoFile): LabelIndex {
  const starts = new Int32Array(file.imageIds.names.length + 1);
  for (let i = 0; i < file.image.length; i++) starts[file.image.at(i) + 1]++;
  for (let m = 1; m < starts.length; m++) starts[m] += starts[m - 1];
  const next = starts.slice();
  const order = new Int32Array(file.image.length);
  for (let i = 0; i < file.image.length; i++) order[next[file.image.at(i)]++] = i;
  return { starts, order };
}

/** Preference of annotation files for the labels of one picture: whole instances (no match) come first. */
const labelRanks: readonly RegExp[] = [
  /keypoints/i,
  /panoptic/i,
  /stuff/i,
  /labels/i,
  /image_info/i,
  /captions/i,
];

function labelRank(file: CocoFile): number {
  return labelRanks.findIndex((name) => name.test(file.path)) + 1;
}

function splitOf({ path }: CocoFile): string {
  return path.match(/(train|valid|val|test|dev)\w*/i)?.[0] ?? '';
}

function fileFindings(file: CocoFile): Finding[] {
  const { path, records, issues } = file;
  const findings = issues.findings(path);
  const refuse = (message: string) => findings.push(cocoFinding('coco_json_refused', path, message));
  if (records.shape === 'cut') refuse(`${path} is truncated; the part before the cut was read`);
  else if (records.refused.length > 0)
    refuse(`Python's json module cannot parse ${path}: it contains ${records.refused.join(', ')}`);
  const twice = ['images', 'annotations', 'categories'].filter((list) => records.repeated.has(list));
  if (twice.length > 0)
    findings.push(
      cocoFinding(
        'coco_list_twice',
        path,
        `${path} repeats ${twice.join(', ')}; all of them were read, but Python keeps only the last list`,
      ),
    );
  return findings;
}

function absentFinding(file: CocoFile, absent: readonly string[]): Finding {
  const listed = file.images.size;
  return {
    code: 'pictures_absent',
    severity: 'error',
    path: file.path,
    message: `${file.path} lists ${listed} images, ${absent.length} of them are missing (${absent.slice(0, 3).join(', ')})`,
    advice: 'restore the images, or delete their entries',
    evidence: { listed, absent: absent.length },
  };
}

function unlistedFinding(unlisted: readonly string[]): Finding {
  return {
    code: 'pictures_unlisted',
    severity: 'warning',
    path: null,
    message: `${countPhrase(unlisted.length, 'images are')} not listed in any annotation file (${unlisted.slice(0, 3).join(', ')})`,
    advice:
      'annotate them, list them without annotations if they are empty on purpose, or move them out of the folder',
    evidence: { unlisted: unlisted.length },
  };
}

/** Tolerance at the picture edge: rounding, and end-inclusive boxes. */
const edgeTolerance_px = 1;

/** Checks that need all images, categories and annotations of a file. */
function checkAnnotations(file: CocoFile): void {
  const { issues } = file;
  let normalised = 0;
  let boxes = 0;
  for (let i = 0; i < file.image.length; i++) {
    const image = file.images.get(file.image.at(i));
    const id = String(file.imageIds.names[file.image.at(i)]);
    if (image === undefined) issues.add('image_unknown', `image ${id}`);
    const category = file.category.at(i);
    if (category < 0) issues.add('annotation_without_category', `image ${id}`);
    else if (!file.categories.has(category))
      issues.add('category_unknown', String(file.categoryIds.names[category]));
    const [x, y, width, height] = [0, 1, 2, 3].map((k) => file.box.at(4 * i + k));
    if (Number.isNaN(x)) continue;
    boxes++;
    if (Math.max(x, y, width, height) <= 1 && width > 0) normalised++;
    if (!(width > 0 && height > 0)) issues.add('box_empty', `image ${id}`);
    else if (
      image !== undefined &&
      (x < -edgeTolerance_px ||
        y < -edgeTolerance_px ||
        x + width > image.width + edgeTolerance_px ||
        y + height > image.height + edgeTolerance_px)
    )
      issues.add('box_outside', image.file_name);
  }
  if (boxes > 0 && normalised === boxes) issues.add('box_normalised', `all ${boxes}`);
  for (const image of file.captions.keys()) {
    if (!file.images.has(image)) issues.add('image_unknown', `image ${file.imageIds.names[image]}`);
  }
  checkMasks(file);
}

function checkMasks({ masks, images, issues }: CocoFile): void {
  for (const { name, image, width, height } of masks) {
    const size = images.get(image);
    if (size === undefined || (size.width === width && size.height === height)) continue;
    const swapped = size.width === height && size.height === width;
    issues.add(swapped ? 'mask_size_swapped' : 'mask_size_other', name);
  }
}

/** Resolves entries of an annotation file to pictures of the set. */
class ImageResolver {
  readonly #pictures: ReadonlyMap<string, number>;
  /** Picture number by file name; -1 if several pictures share it. */
  readonly #byName = new Map<string, number>();

  /** `pictures`: picture number by path. */
  constructor(pictures: ReadonlyMap<string, number>) {
    this.#pictures = pictures;
    for (const [path, number] of pictures) {
      const name = lastPart(path);
      this.#byName.set(name, this.#byName.has(name) ? -1 : number);
    }
  }

  /**
   * Returns the number of a picture: next to the annotation file, then in the usual folders of its split, then by a
   * unique file name; `null` if there is no such picture.
   */
  resolve(annotationFile: string, fileName: string): number | null {
    const name = fileName.replace(/\\/g, '/').replace(/^\.\//, '');
    for (const folder of candidateFolders(annotationFile)) {
      const found = this.#pictures.get(folder + name);
      if (found !== undefined) return found;
    }
    const unique = this.#byName.get(lastPart(name));
    return unique === undefined || unique < 0 ? null : unique;
  }
}

function candidateFolders(annotationFile: string): string[] {
  const ownFolder = annotationFile.slice(0, annotationFile.lastIndexOf('/') + 1);
  const stem = lastPart(annotationFile).replace(/\.json$/i, '');
  const split = stem.split(/[_.-]/).find((part) => isSplitName(part.replace(/\d{4}$/, '')));
  const bySplit =
    split === undefined ? [] : [`images/${split}/`, `${split}/`, `${split}/images/`, `${split}/data/`];
  return [ownFolder, `${ownFolder}images/`, ...bySplit, 'images/', '', 'data/'];
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
