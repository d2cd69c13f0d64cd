import { AssayError, enumerate } from '#core';
import type { SourceTree } from '#io/sources';
import { folderOf } from '../shared/divide-folders.ts';
import { isDocument } from '../shared/files-away.ts';
import type { FormatReader, Recognition } from '../shared/reader.ts';

/** What was recognised in `tree`, and `own`: its files. */
interface Recognised {
  readonly tree: SourceTree;
  readonly own: SourceTree;
  readonly path: string;
  readonly recognition: Recognition;
}

/**
 * Refuses a dataset of which something may not be read: it would look missing or damaged, and its episodes be rejected for
 * it. A closed folder beside recordings that are files may hold anything, unless its name says more. Throws `not_permitted`.
 */
export function demandOpen(recognised: Recognised, reader: FormatReader): void {
  const { own, recognition } = recognised;
  const folders = recognition.files === null ? closedFolders(own) : closedBeside(recognised, reader);
  const files = closedFiles(own).filter((path) => reader.saysClosed?.(path) !== true);
  const closed = [...folders, ...files];
  if (closed.length === 0) return;
  const what = enumerate(closed, 4);
  throw new AssayError('not_permitted', `${what} may not be read by this user, so the set is not judged`, {
    advice: 'ask for permission to read it (chmod -R a+rX)',
  });
}

/** Files that may not be read, but for documents: those say nothing of recordings. */
export function closedFiles({ files }: Pick<SourceTree, 'files'>): string[] {
  return files.flatMap(({ path, closed }) => (closed === true && !isDocument(path) ? [path] : []));
}

/** Closed folders that may say of files around them that they are another dataset. */
function closedBeside({ tree, path: at }: Recognised, { notBeside }: FormatReader): string[] {
  if (notBeside === undefined) return [];
  const isAround = (folder: string) => folder === '' || `${at}/`.startsWith(`${folder}/`);
  return closedFolders(tree).filter((path) => notBeside.test(path) && isAround(folderOf(path)));
}

function closedFolders({ findings }: SourceTree): string[] {
  return findings.flatMap(({ code, path }) =>
    code === 'folder_not_permitted' && path !== null ? [path] : [],
  );
}
