import type { SourceTree } from '#io/sources';
import { isPictureName } from '../shared/file-names.ts';
import type { Recognition } from '../shared/reader.ts';
import { isSplitName } from '../shared/splits.ts';
import { classFiles, findLabelFile, labelLinePattern, readConfig, yamlFiles } from './config.ts';

/** Maximum number of label files to check before a folder is rejected. */
const maxLabelFiles = 16;

/**
 * Recognises a YOLO set by a label file whose lines are a class and numbers, together with class names (data.yaml or a
 * class list) or a labels/ folder; `null` otherwise.
 */
export async function recogniseYolo(tree: SourceTree): Promise<Recognition | null> {
  if (!mayBeLabelled(tree)) return null;
  const classEvidence = await findClassNames(tree);
  if (classEvidence === null && !tree.files.some(({ path }) => inLabelFolder(path))) return null;
  const example = await findLabelledFile(tree, classEvidence === null ? inLabelFolder : () => true);
  if (example === null) return null;
  const evidence = [
    `${example} has lines of a class and numbers`,
    ...(classEvidence === null ? [] : [classEvidence]),
  ];
  return { format: 'yolo', evidence, files: null };
}

/** True if there are text files and pictures; by names only, so that YAML files of other formats are not opened. */
function mayBeLabelled({ files }: SourceTree): boolean {
  return files.some(({ path }) => path.endsWith('.txt')) && files.some(({ path }) => isPictureName(path));
}

async function findClassNames(tree: SourceTree): Promise<string | null> {
  for (const path of yamlFiles(tree)) {
    const { names, isDataset } = await readConfig(tree, path);
    if (isDataset) return `${path} names ${names?.size ?? 0} classes`;
  }
  const [list] = classFiles(tree);
  return list === undefined ? null : `${list} lists classes`;
}

/** True for `labels/….txt` or `SPLIT/labels/….txt`. */
function inLabelFolder(path: string): boolean {
  const found = /^(?:([^/]+)\/)?labels\//.exec(path);
  return found !== null && (found[1] === undefined || isSplitName(found[1])) && path.endsWith('.txt');
}

/** Returns a label file with at least one label line, among those of the first pictures; `null` if there is none. */
async function findLabelledFile(
  tree: SourceTree,
  mayBe: (labels: string) => boolean,
): Promise<string | null> {
  let remaining = maxLabelFiles;
  for (const { path } of tree.files) {
    if (!isPictureName(path)) continue;
    const labels = findLabelFile(tree, path);
    const bytes = labels === null ? 0 : (tree.entry(labels)?.bytes ?? 0);
    if (labels === null || bytes === 0 || !mayBe(labels)) continue;
    const head = new TextDecoder().decode(await tree.head(labels, 64 * 1024).catch(() => new Uint8Array()));
    if (head.split('\n', 64).some((line) => labelLinePattern.test(line))) return labels;
    if (--remaining === 0) return null;
  }
  return null;
}
