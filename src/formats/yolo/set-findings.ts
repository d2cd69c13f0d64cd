import { counted } from '#core';
import type { Finding } from '#core/episode';
import type { FileEntry, SourceTree } from '#io/sources';
import type { YoloConfig } from './config.ts';
import { headerBytes, pictureHeader } from './picture-header.ts';
import type { Listed } from './splits.ts';

export interface YoloSet {
  readonly pictures: readonly FileEntry[];
  /** Of each picture; null where it has none. */
  readonly labelFiles: readonly (string | null)[];
  readonly listed: Listed;
  readonly config: YoloConfig;
}

/** Pictures whose headers are looked at for a turn. */
const sampled = 64;

/** What can be said of a set by its names: background, labels without pictures, pictures nobody lists. */
export async function setFindings(
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
      `${without.length} of ${paths.length} pictures have no label file${some(without)} and ${empty.length} an empty one: they count as background`,
      'nothing to do where nothing is to be seen; restore the labels of the others',
      { pictures: paths.length, without_file: without.length, empty: empty.length },
    );
  const alone = labelsAlone(tree, labelFiles);
  if (alone.length > 0)
    add(
      'yolo_labels_without_picture',
      'warning',
      `${counted(alone.length, 'label files belong')} to no picture${some(alone)}`,
      'restore the pictures, or drop the files',
      { files: alone.length },
    );
  const { has } = listed;
  const unlisted = has === null ? [] : paths.filter((path) => !has(path));
  if (unlisted.length > 0)
    add(
      'pictures_unlisted',
      'warning',
      `${counted(unlisted.length, 'pictures are')} in no split of ${config.path}${some(unlisted)}`,
      'add them to a split, or move them away',
      { unlisted: unlisted.length },
    );
  if (config.names === null)
    add(
      'yolo_names_missing',
      'warning',
      'no data.yaml, classes.txt or obj.names gives the classes names; they go by their numbers',
      'write data.yaml with names',
    );
  return [...findings, ...(await turnedFinding(tree, pictures))];
}

/** Files in labels/ that hold no picture's labels; lists of classes are none. */
function labelsAlone(tree: SourceTree, labelFiles: readonly (string | null)[]): string[] {
  const used = new Set(labelFiles);
  return tree.files.flatMap(({ path }) =>
    /(?:^|\/)labels\/.*\.txt$/i.test(path) && !/(?:^|\/)classes\.txt$/i.test(path) && !used.has(path)
      ? [path]
      : [],
  );
}

async function turnedFinding(tree: SourceTree, pictures: readonly FileEntry[]): Promise<Finding[]> {
  const step = Math.max(1, Math.ceil(pictures.length / sampled));
  const turned: string[] = [];
  let looked = 0;
  for (let i = 0; i < pictures.length; i += step, looked++) {
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
      message: `${turned.length} of ${looked} pictures looked at are turned by EXIF${some(turned)}: their labels may mean the picture as shown or as stored`,
      advice: 'turn the pixels and drop the orientation, then look whether the labels still fit',
      evidence: { looked, turned: turned.length },
    },
  ];
}

function some(paths: readonly string[]): string {
  if (paths.length === 0) return '';
  return ` (${paths.slice(0, 3).join(', ')}${paths.length > 3 ? ', …' : ''})`;
}
