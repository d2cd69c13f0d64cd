import { countPhrase, sha256 } from '#core';
import type { Finding, PictureLabel, SourceRef } from '#core/episode';
import type { FileEntry, SourceTree } from '#io/sources';
import { isPictureName } from '../shared/file-names.ts';
import { type PictureEntry, pictureDataset } from '../shared/picture-dataset.ts';
import type { Dataset, Recognition } from '../shared/reader.ts';
import {
  classFiles,
  findLabelFile,
  readClassFile,
  readConfig,
  type YoloConfig,
  yamlFiles,
} from './config.ts';
import { type LabelContext, LabelIssues, parseLabels } from './parse-labels.ts';
import { headerBytes, type PictureHeader, pictureHeader } from './picture-header.ts';
import { yoloFinding } from './rules.ts';
import { findLabelFault, type LabelFault } from './verify-labels.ts';

/** Opens a YOLO set as a dataset of single pictures; reads every label file to find its faults. */
export async function openYolo(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  const pictures = tree.files.filter((file) => isPictureName(file.path));
  const config = await readSetConfig(tree);
  const listed = await listedPictures(tree, config);
  const labelFiles = pictures.map(({ path }) => findLabelFile(tree, path));
  const labelled = [...new Set(labelFiles.flatMap((path) => path ?? []))];
  const findings = [
    ...config.findings,
    ...listed.findings,
    ...(await setFindings(tree, { pictures, labelFiles, listed, config })),
    ...(await scanLabels(tree, labelled, config)),
  ];
  return pictureDataset({
    tree,
    recognition,
    findings,
    facts: {
      format: 'yolo',
      version: null,
      declared_episodes:
        listed.has === null ? null : pictures.filter(({ path }) => listed.has?.(path)).length,
      declared_frames: null,
      declared_rate_hz: null,
      robot: null,
      declared_cameras: [],
    },
    bytes: pictures.map((file) => file.bytes),
    entry: (index) => readEntry(tree, pictures[index], labelFiles[index], config),
  });
}

async function readSetConfig(tree: SourceTree): Promise<YoloConfig> {
  const failed: Finding[] = [];
  for (const path of yamlFiles(tree)) {
    const config = await readConfig(tree, path);
    if (config.isDataset) return config;
    failed.push(...config.findings);
  }
  const [list] = classFiles(tree);
  if (list !== undefined) return readClassFile(tree, list);
  return {
    path: 'data.yaml',
    isDataset: false,
    names: null,
    classes: null,
    splits: [],
    root: null,
    keypoints: null,
    findings: failed,
  };
}

/** Reads a picture's labels, in pixels if its header gives the size. Never throws. */
async function readEntry(
  tree: SourceTree,
  { path, bytes }: FileEntry,
  labelFile: string | null,
  config: YoloConfig,
): Promise<PictureEntry> {
  const header = pictureHeader(
    await tree.head(path, Math.min(bytes, headerBytes)).catch(() => new Uint8Array()),
  );
  const entry = {
    path,
    bytes,
    size_px: header?.size_px ?? null,
    captions: [],
    findings: [...orientationFinding(path, header), ...smallFinding(path, header)],
  };
  if (labelFile === null) return { ...entry, labels: [], annotations: [] };
  // Unreadable label files are reported for the set; here they are a source without a hash.
  const content = await tree.read(labelFile, maxLabelBytes).catch(() => null);
  const source: SourceRef = {
    path: labelFile,
    bytes: content?.length ?? tree.entry(labelFile)?.bytes ?? 0,
    sha256: content === null ? null : sha256(content),
    role: 'annotation',
  };
  if (content === null) return { ...entry, labels: [], annotations: [source] };
  const fault = findLabelFault(decodeUtf8(content), config);
  const findings = [...entry.findings, ...(fault === null ? [] : [droppedFinding(path, labelFile, fault)])];
  const { labels } = parseLabels(new TextDecoder().decode(content), config, () => {});
  const inPixels = labels.map(({ class_index, box }): PictureLabel => {
    const category = config.names === null ? `class ${class_index}` : (config.names.get(class_index) ?? '');
    if (header === null) return { category, box_px: null };
    const [width, height] = header.size_px;
    return { category, box_px: [box[0] * width, box[1] * height, box[2] * width, box[3] * height] };
  });
  return { ...entry, findings, labels: inPixels, annotations: [source] };
}

/** Decodes UTF-8; `null` if it is invalid. */
function decodeUtf8(content: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return null;
  }
}

function droppedFinding(path: string, labelFile: string, { rule, why }: LabelFault): Finding {
  return yoloFinding(rule, path, `training skips ${path} because of its label file ${labelFile}: ${why}`);
}

function smallFinding(path: string, header: PictureHeader | null): Finding[] {
  if (header === null || Math.min(...header.size_px) >= 10) return [];
  const message = `training skips ${path} because it is too small: ${header.size_px.join(' x ')} pixels`;
  return [yoloFinding('yolo_picture_small', path, message)];
}

function orientationFinding(path: string, header: PictureHeader | null): Finding[] {
  if (header === null || header.orientation === 1) return [];
  return [
    {
      code: 'picture_turned',
      severity: 'warning',
      path,
      message: `${path} has EXIF orientation ${header.orientation}: viewers show it rotated, so its labels may refer to the image as shown or as stored`,
      advice: 'rotate the pixels and remove the orientation tag, then check that the labels still fit',
      evidence: { orientation: header.orientation },
    },
  ];
}

/** Maximum size of a label file; a million polygon lines fit. */
const maxLabelBytes = 64 * 1024 * 1024;
const maxConcurrentReads = 16;

/** Checks every label file of a set; returns counts and examples of issues. */
async function scanLabels(
  tree: SourceTree,
  files: readonly string[],
  context: LabelContext,
): Promise<Finding[]> {
  const oddities = new LabelIssues();
  const kinds = { boxes: 0, outlines: 0 };
  let next = 0;
  const pending = new Map<number, Promise<string | Error>>();
  const start = () => {
    if (next < files.length) pending.set(next, readLabelText(tree, files[next++]));
  };
  for (let i = 0; i < maxConcurrentReads; i++) start();
  for (let i = 0; i < files.length; i++) {
    const text = await pending.get(i)!;
    pending.delete(i);
    start();
    if (text instanceof Error) {
      oddities.add(text instanceof RangeError ? 'file_too_large' : 'file_unreadable', files[i]);
      continue;
    }
    const { boxes, outlines } = parseLabels(text, context, (kind, line) =>
      oddities.add(kind, kind === 'line_ends_crlf' ? files[i] : `${files[i]}:${line}`),
    );
    if (boxes > 0 && outlines === 0) kinds.boxes++;
    if (outlines > 0) kinds.outlines++;
  }
  return [...oddities.findings(null), ...mixedFinding(kinds)];
}

/**
 * Reads a label file; returns an Error instead of throwing (RangeError if it is too large), since one bad file of
 * thousands is only counted.
 */
async function readLabelText(tree: SourceTree, path: string): Promise<string | Error> {
  if ((tree.entry(path)?.bytes ?? 0) > maxLabelBytes) return new RangeError(path);
  return tree.text(path, maxLabelBytes).catch(() => new Error(path));
}

function mixedFinding({ boxes, outlines }: { boxes: number; outlines: number }): Finding[] {
  if (boxes === 0 || outlines === 0) return [];
  return [
    {
      code: 'yolo_labels_mixed',
      severity: 'warning',
      path: null,
      message: `${boxes} label files contain boxes and ${outlines} contain polygons; segmentation training drops all polygons of such a dataset`,
      advice: 'split it into two datasets, one with boxes and one with polygons',
      evidence: { box_files: boxes, outline_files: outlines },
    },
  ];
}

interface YoloSet {
  readonly pictures: readonly FileEntry[];
  /** Label file of each picture; `null` if it has none. */
  readonly labelFiles: readonly (string | null)[];
  readonly listed: ListedPictures;
  readonly config: YoloConfig;
}

/** Maximum number of pictures whose EXIF orientation is checked. */
const maxSampledHeaders = 64;

/**
 * Returns findings from file names: background pictures, labels without pictures, unlisted pictures, missing class
 * names.
 */
async function setFindings(
  tree: SourceTree,
  { pictures, labelFiles, listed, config }: YoloSet,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const add = (code: string, severity: Finding['severity'], message: string, advice: string, evidence = {}) =>
    findings.push({ code, severity, path: null, message, advice, evidence });
  const paths = pictures.map(({ path }) => path);
  const without = paths.filter((_, i) => labelFiles[i] === null);
  const empty = labelFiles.filter((path) => path !== null && tree.entry(path)?.bytes === 0);
  if (without.length + empty.length > 0)
    add(
      'yolo_background',
      'info',
      `${without.length} of ${paths.length} images have no label file${formatExamples(without)} and ${empty.length} have an empty one: they count as background`,
      'nothing to do for images without objects; restore the labels of the others',
      { pictures: paths.length, without_file: without.length, empty: empty.length },
    );
  const orphans = findOrphanLabels(tree, labelFiles);
  if (orphans.length > 0)
    add(
      'yolo_labels_without_picture',
      'warning',
      `${countPhrase(orphans.length, 'label files belong')} to no image${formatExamples(orphans)}`,
      'restore the images, or delete the label files',
      { files: orphans.length },
    );
  const { has } = listed;
  const unlisted = has === null ? [] : paths.filter((path) => !has(path));
  if (unlisted.length > 0)
    add(
      'pictures_unlisted',
      'warning',
      `${countPhrase(unlisted.length, 'images are')} in no split of ${config.path}${formatExamples(unlisted)}`,
      'add them to a split, or move them out of the folder',
      { unlisted: unlisted.length },
    );
  if (config.names === null)
    add(
      'yolo_names_missing',
      'warning',
      'no data.yaml, classes.txt or obj.names found; classes are named by their numbers',
      'write data.yaml with names',
    );
  return [...findings, ...(await turnedPicturesFinding(tree, pictures))];
}

/** Returns label files in labels/ that belong to no picture, except class lists. */
function findOrphanLabels(tree: SourceTree, labelFiles: readonly (string | null)[]): string[] {
  const used = new Set(labelFiles);
  return tree.files.flatMap(({ path }) =>
    /(?:^|\/)labels\/.*\.txt$/i.test(path) && !/(?:^|\/)classes\.txt$/i.test(path) && !used.has(path)
      ? [path]
      : [],
  );
}

async function turnedPicturesFinding(tree: SourceTree, pictures: readonly FileEntry[]): Promise<Finding[]> {
  const step = Math.max(1, Math.ceil(pictures.length / maxSampledHeaders));
  const turned: string[] = [];
  let checked = 0;
  for (let i = 0; i < pictures.length; i += step, checked++) {
    const { path, bytes } = pictures[i];
    const head = await tree.head(path, Math.min(bytes, headerBytes)).catch(() => new Uint8Array());
    if ((pictureHeader(head)?.orientation ?? 1) !== 1) turned.push(path);
  }
  if (turned.length === 0) return [];
  return [
    {
      code: 'yolo_pictures_turned',
      severity: 'warning',
      path: null,
      message: `${turned.length} of ${checked} sampled images are rotated by EXIF${formatExamples(turned)}: their labels may refer to the image as shown or as stored`,
      advice: 'rotate the pixels and remove the orientation tag, then check that the labels still fit',
      evidence: { looked: checked, turned: turned.length },
    },
  ];
}

function formatExamples(paths: readonly string[]): string {
  if (paths.length === 0) return '';
  return ` (${paths.slice(0, 3).join(', ')}${paths.length > 3 ? ', …' : ''})`;
}

/** Pictures listed by data.yaml. */
interface ListedPictures {
  /** True for listed pictures; `null` if it lists none, so that every picture of the folder belongs to the set. */
  readonly has: ((picture: string) => boolean) | null;
  readonly findings: readonly Finding[];
}

const maxListBytes = 256 * 1024 * 1024;
/** Maximum number of trailing path parts to try; no set lies deeper. */
const maxPathParts = 64;

/**
 * Resolves train, val and test entries (folders or picture lists), even if the set was moved after they were written.
 */
async function listedPictures(tree: SourceTree, config: YoloConfig): Promise<ListedPictures> {
  if (config.splits.length === 0) return { has: null, findings: [] };
  const allFolders = listFolders(tree);
  const folders = new Set<string>();
  const pictures = new Set<string>();
  const findings: Finding[] = [];
  const absent = new Map(config.splits.map(({ split }): [string, string[]] => [split, []]));
  for (const { split, entry } of config.splits) {
    const candidates = candidatePaths(entry, config.root);
    const list = candidates.find((path) => tree.has(path));
    const folder = candidates.find((path) => allFolders.has(path));
    if (list !== undefined) findings.push(...(await readList(tree, list, pictures)));
    else if (folder !== undefined) folders.add(folder);
    else absent.get(split)?.push(entry);
  }
  for (const [split, entries] of absent)
    if (entries.length > 0) findings.push(absentSplitFinding(config.path, split, entries));
  const has = (picture: string) =>
    pictures.has(picture) || foldersAbove(picture).some((above) => folders.has(above));
  return { has: folders.size === 0 && pictures.size === 0 ? null : has, findings };
}

/**
 * Returns possible paths of an entry in this folder: below `path`, then as written, each with successively fewer
 * leading folders.
 */
function candidatePaths(entry: string, root: string | null): string[] {
  const written = splitPath(entry);
  const below = root === null ? [] : suffixes([...splitPath(root), ...written]);
  return [...new Set([...below, ...suffixes(written)])];
}

function splitPath(path: string): string[] {
  const parts = path.replace(/\\/g, '/').split('/');
  return parts
    .filter((part) => part !== '' && part !== '.' && part !== '..' && !/^[a-z]:$/i.test(part))
    .slice(-maxPathParts);
}

const suffixes = (parts: readonly string[]): string[] =>
  parts.length === 0 ? [''] : parts.map((_, i) => parts.slice(i).join('/'));

/** Returns all folders that contain files, at any depth; '' for the set itself. */
function listFolders({ files }: SourceTree): Set<string> {
  const folders = new Set(['']);
  for (const { path } of files) for (const folder of foldersAbove(path)) folders.add(folder);
  return folders;
}

/** Returns the parent folders of a path: '', `a` and `a/b` for `a/b/c.jpg`. */
function foldersAbove(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, i) => parts.slice(0, i).join('/'));
}

async function readList(tree: SourceTree, path: string, pictures: Set<string>): Promise<Finding[]> {
  const lines = (await tree.text(path, maxListBytes)).split(/\r?\n/).filter((line) => line.trim() !== '');
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const absent: string[] = [];
  for (const line of lines) {
    const parts = splitPath(line.trim());
    const found = [folder + parts.join('/'), ...suffixes(parts)].find((place) => tree.has(place));
    if (found === undefined) absent.push(line.trim());
    else pictures.add(found);
  }
  if (absent.length === 0) return [];
  return [
    {
      code: 'pictures_absent',
      severity: 'error',
      path,
      message: `${path} lists ${lines.length} images, ${absent.length} of them are missing (${absent.slice(0, 3).join(', ')})`,
      advice: 'restore the images, or delete their lines',
      evidence: { listed: lines.length, absent: absent.length },
    },
  ];
}

function absentSplitFinding(path: string, split: string, entries: readonly string[]): Finding {
  const named =
    entries.length === 1
      ? `${entries[0]} for ${split}, which is`
      : `${entries.length} paths for ${split} (${entries.slice(0, 3).join(', ')}${entries.length > 3 ? ', …' : ''}), which are`;
  const rule = split === 'test' ? 'yolo_test_absent' : 'yolo_split_absent';
  return yoloFinding(rule, path, `${path} names ${named} not in this folder`);
}
