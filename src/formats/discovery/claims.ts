import type { FileEntry, SourceTree } from '#sources';
import type { FormatReader, Recognition } from '../reader.ts';

/** Where a dataset lies and what it was taken for: plain JSON, so that another thread can open it again. */
export interface Claim {
  /** Folder relative to what was asked for; '' for that itself. */
  readonly path: string;
  readonly recognition: Recognition;
}

/** Datasets that readers of folders recognise, from the top down: what lies below one is its own. */
export async function folderClaims(tree: SourceTree, known: readonly FormatReader[]): Promise<Claim[]> {
  const folderReaders = known.filter((reader) => reader.scope === 'folder');
  const claims: Claim[] = [];
  const claimed = new Set<string>();
  for (const folder of foldersOf(tree.files)) {
    if (isBelow(folder, claimed)) continue;
    const below = folder === '' ? tree : tree.below(folder);
    for (const reader of folderReaders) {
      const recognition = await reader.recognise(below);
      if (recognition === null) continue;
      claims.push({ path: folder, recognition: { ...recognition, format: reader.id } });
      claimed.add(folder);
      break;
    }
  }
  return claims;
}

/** Every folder that holds a file or a folder, parents before children. */
function foldersOf(files: readonly FileEntry[]): string[] {
  const found = new Set<string>(['']);
  let last = '';
  for (const { path } of files) {
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    if (parent === last) continue;
    last = parent;
    for (let folder = parent; folder !== '' && !found.has(folder); ) {
      found.add(folder);
      folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')));
    }
  }
  const depth = (folder: string) => (folder === '' ? 0 : folder.split('/').length);
  return [...found].sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
}

function isBelow(folder: string, claimed: ReadonlySet<string>): boolean {
  for (let at = folder; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    if (claimed.has(at)) return true;
    if (at === '') return false;
  }
}

/** Files that no folder reader has claimed. */
export function unclaimed(tree: SourceTree, claims: readonly Claim[]): readonly FileEntry[] {
  if (claims.length === 0) return tree.files;
  const claimed = new Set(claims.map((claim) => claim.path));
  return tree.files.filter(
    (file) => !isBelow(file.path.slice(0, Math.max(0, file.path.lastIndexOf('/'))), claimed),
  );
}

/** Datasets that readers of files recognise among what is left, and what is left then. */
export async function claimFiles(
  tree: SourceTree,
  rest: readonly FileEntry[],
  known: readonly FormatReader[],
): Promise<{ claims: Claim[]; left: readonly FileEntry[] }> {
  const claims: Claim[] = [];
  let left = rest;
  for (const reader of known) {
    if (reader.scope === 'folder' || left.length === 0) continue;
    const recognition = await reader.recognise(left === tree.files ? tree : tree.only(left));
    if (recognition === null) continue;
    const files = recognition.files ?? left.map((file) => file.path);
    const whole = { ...recognition, format: reader.id, files };
    const parts = (await reader.divide?.(whole)) ?? [{ folder: '', recognition: whole }];
    claims.push(...parts.map((part) => ({ path: part.folder, recognition: part.recognition })));
    const own = new Set(files);
    left = left.filter((file) => !own.has(file.path));
  }
  return { claims, left };
}
