import type { FileEntry, SourceTree } from '#io/sources';
import { folderOf, foldersAround, patternOf, splitPath } from '../../shared/file-names.ts';
import type { LabelFormat } from './label-format.ts';
import { identifyLabels } from './label-formats.ts';

/** Maximum number of files of which the first bytes are read, of those named alike apart from numbers and of all. */
const maxAlike = 20;
const maxHeads = 5000;
const headBytes = 256 * 1024;

/** A label file and its format. */
export interface FoundLabels {
  readonly path: string;
  readonly format: LabelFormat;
}

/**
 * Finds label files of readable formats by their first bytes, in the folders around the pictures. Beyond 20 files named
 * alike or 5000 in all, a file counts as what those before it are.
 */
export async function findLabelFiles(
  tree: SourceTree,
  pictures: readonly FileEntry[],
): Promise<readonly FoundLabels[]> {
  const around = foldersAround(pictures.map(({ path }) => path));
  const families = new Map<string, { format: LabelFormat | null; count: number }>();
  /** Formats of the files of each folder and extension. */
  const formatsAt = new Map<string, Set<LabelFormat | null>>();
  const found: FoundLabels[] = [];
  let heads = 0;
  for (const { path, bytes, closed } of tree.files) {
    const { folder, extension } = splitPath(path);
    if (extension !== '.json' && extension !== '.xml') continue;
    if (bytes === 0 || closed === true || !isNear(folder, around)) continue;
    const pattern = patternOf(path);
    const family = families.get(pattern);
    if (family !== undefined && family.count >= maxAlike) {
      if (family.format !== null) found.push({ path, format: family.format });
      continue;
    }
    const formats = formatsAt.get(folder + extension) ?? new Set();
    formatsAt.set(folder + extension, formats);
    if (heads >= maxHeads) {
      // The others in a folder are in its format if that is only one; reading them tells if they are not.
      const [only] = formats;
      if (formats.size === 1 && only !== null) found.push({ path, format: only });
      continue;
    }
    heads++;
    const format = await identify(tree, path);
    formats.add(format);
    families.set(pattern, { format, count: family?.format === format ? family.count + 1 : 1 });
    if (format !== null) found.push({ path, format });
  }
  return found;
}

async function identify(tree: SourceTree, path: string): Promise<LabelFormat | null> {
  const head = await tree.head(path, headBytes).catch(() => new Uint8Array());
  return identifyLabels(path, new TextDecoder().decode(head));
}

/** True if pictures lie in the folder, or below one that is at most two levels above it: `labels/train` and `images/train`. */
function isNear(folder: string, around: ReadonlySet<string>): boolean {
  return around.has(folder) || around.has(folderOf(folder)) || around.has(folderOf(folderOf(folder)));
}
