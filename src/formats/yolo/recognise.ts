import type { SourceTree } from '#io/sources';
import { isSplit } from '../shared/pictures/class-labels.ts';
import { isCalledPicture } from '../shared/pictures/picture-names.ts';
import type { Recognition } from '../shared/reader.ts';
import { classFiles, readConfig, yamlFiles } from './config.ts';
import { labelFileOf, labelLine } from './label-paths.ts';

/** Label files and pictures looked into before a folder is given up. */
const looked = 16;

/**
 * A folder is a YOLO set when its data.yaml names classes, or labels/ or classes.txt lies in it, and lines of a class
 * and numbers stand where the labels of its pictures would.
 */
export async function recogniseYolo(tree: SourceTree): Promise<Recognition | null> {
  if (!mayBeLabelled(tree)) return null;
  const said = await whatNamesClasses(tree);
  if (said === null && !tree.files.some(({ path }) => inLabelFolder(path))) return null;
  const example = await labelledPicture(tree, said === null ? inLabelFolder : () => true);
  if (example === null) return null;
  const evidence = [`${example} holds lines of a class and numbers`, ...(said === null ? [] : [said])];
  return { format: 'yolo', evidence, files: null };
}

/** By names alone, so that the YAML files of other formats are not opened. */
function mayBeLabelled({ files }: SourceTree): boolean {
  return files.some(({ path }) => path.endsWith('.txt')) && files.some(({ path }) => isCalledPicture(path));
}

async function whatNamesClasses(tree: SourceTree): Promise<string | null> {
  for (const path of yamlFiles(tree)) {
    const { names, isDataset } = await readConfig(tree, path);
    if (isDataset) return `${path} names ${names?.size ?? 0} classes`;
  }
  const [list] = classFiles(tree);
  return list === undefined ? null : `${list} lists classes`;
}

/** `labels/…` or `train/labels/…`. */
function inLabelFolder(path: string): boolean {
  const found = /^(?:([^/]+)\/)?labels\//.exec(path);
  return found !== null && (found[1] === undefined || isSplit(found[1])) && path.endsWith('.txt');
}

/** A label file with a line of labels in it, of the first pictures that have any. */
async function labelledPicture(tree: SourceTree, mayBe: (labels: string) => boolean): Promise<string | null> {
  let left = looked;
  for (const { path } of tree.files) {
    if (!isCalledPicture(path)) continue;
    const labels = labelFileOf(tree, path);
    const bytes = labels === null ? 0 : (tree.entry(labels)?.bytes ?? 0);
    if (labels === null || bytes === 0 || !mayBe(labels)) continue;
    const head = new TextDecoder().decode(await tree.head(labels, 64 * 1024).catch(() => new Uint8Array()));
    if (head.split('\n', 64).some((line) => labelLine.test(line))) return labels;
    if (--left === 0) return null;
  }
  return null;
}
