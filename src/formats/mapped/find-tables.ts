import type { Hdf5Group } from '@assay/hdf5';
import { AssayError } from '#core';
import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { nullIfUnreadable, openHdf5 } from '../shared/hdf5-file.ts';
import { type Mapping, matchEpisodes, matchFolders } from './mapping.ts';
import { listNpzArrays } from './numpy-table.ts';
import type { TableLocation } from './open-table.ts';
import { stepFiles } from './steps.ts';
import { isZarrFolder, listZarrArrays } from './zarr-table.ts';

/** A table of the dataset and its episode. */
export interface TableFile extends TableLocation {
  /** Episode id; `null` if a column identifies episodes. */
  readonly episode: string | null;
  readonly first_index: number;
  /** Size in bytes; of a group its even share of the file. */
  readonly bytes: number;
}

type FoundTable = Omit<TableFile, 'first_index'>;

/**
 * Returns the tables that a mapping names, in the order of the listing, and groups of a file in the order of their
 * numbers; throws `unreadable_input` if there is none.
 * @param label name of the mapping for messages
 */
export async function findTables(
  tree: SourceTree,
  { episodes }: Mapping,
  label: string,
): Promise<{ files: TableFile[]; findings: Finding[] }> {
  const findings: Finding[] = [];
  const found: FoundTable[] = [];
  const without: FoundTable[] = [];
  const group = 'group' in episodes ? (episodes.group ?? null) : null;
  for (const file of listFiles(tree, episodes, findings)) {
    if (group === null) found.push({ ...file, group });
    else {
      const groups = await listGroups(tree, file, group);
      found.push(...groups);
      if (groups.length === 0) without.push({ ...file, episode: file.episode || file.path, group });
    }
  }
  if (found.length === 0) throw noTablesError(tree, label, patternOf(episodes), group);
  // Reading such a file reports that the group is absent.
  found.push(...without);
  return { files: found.map((file, first_index) => ({ ...file, first_index })), findings };
}

function patternOf(episodes: Mapping['episodes']): string {
  if ('file' in episodes) return episodes.file;
  if ('files' in episodes) return episodes.files;
  return `${'folder' in episodes ? episodes.folder : episodes.folders}/`;
}

function listFiles(
  tree: SourceTree,
  episodes: Mapping['episodes'],
  findings: Finding[],
): Omit<FoundTable, 'group'>[] {
  const file = { kind: 'file', steps: null } as const;
  if ('folder' in episodes || 'folders' in episodes) return listFolders(tree, episodes, findings);
  if ('file' in episodes) {
    const isSplit = 'column' in episodes && episodes.column !== undefined;
    const episode = isSplit ? null : 'group' in episodes ? '' : episodes.file.replace(/\.[^./]*$/, '');
    return tree.files.flatMap(({ path, bytes }) =>
      path === episodes.file ? [{ path, ...file, episode, bytes }] : [],
    );
  }
  return [...matchEpisodes(tree, episodes.files)].map(([episode, paths]) => {
    if (paths.length > 1) findings.push(ambiguousFinding(episode, paths));
    return { path: paths[0], ...file, episode, bytes: tree.entry(paths[0])?.bytes ?? 0 };
  });
}

/** Returns the folders of a mapping that have files of arrays or steps. */
function listFolders(
  tree: SourceTree,
  episodes: Extract<Mapping['episodes'], { folder: string } | { folders: string }>,
  findings: Finding[],
): Omit<FoundTable, 'group'>[] {
  const folders: Iterable<readonly [string, readonly string[]]> =
    'folder' in episodes ? [[folderName(episodes), [episodes.folder]]] : matchFolders(tree, episodes.folders);
  const steps = 'steps' in episodes ? (episodes.steps ?? null) : null;
  return [...folders].flatMap(([episode, paths]) => {
    const filled = paths.flatMap((path) => {
      const isZarr = steps === null && isZarrFolder(tree, path);
      const files = isZarr ? filesBelow(tree, path) : stepFiles(tree, path, steps ?? '*.npy');
      return files.length === 0 ? [] : [{ path, files }];
    });
    const [first] = filled;
    if (first === undefined) return [];
    if (filled.length > 1)
      findings.push(
        ambiguousFinding(
          episode,
          filled.map(({ path }) => path),
        ),
      );
    const bytes = first.files.reduce((sum, file) => sum + (tree.entry(file)?.bytes ?? 0), 0);
    return [
      { path: first.path, kind: 'folder', episode: 'column' in episodes ? null : episode, bytes, steps },
    ];
  });
}

/** Returns the name of the episode of a single folder; empty if its groups are the episodes. */
function folderName(episodes: Extract<Mapping['episodes'], { folder: string }>): string {
  if ('group' in episodes) return '';
  return episodes.folder === '.' ? 'episode' : episodes.folder;
}

function filesBelow(tree: SourceTree, folder: string): string[] {
  if (folder === '.') return tree.files.map(({ path }) => path);
  return tree.subtree(folder).files.map(({ path }) => `${folder}/${path}`);
}

const groupSlot = /\{episode\}|\*/;

/**
 * Returns the groups of a file that match a pattern such as `data/demo_{episode}`. A file that cannot be read stays one
 * table, whose reading reports the fault.
 */
async function listGroups(
  tree: SourceTree,
  file: Omit<FoundTable, 'group'>,
  pattern: string,
): Promise<FoundTable[]> {
  const episode = file.episode === null ? '' : file.episode;
  if (!groupSlot.test(pattern)) return [{ ...file, episode: episode || pattern, group: pattern }];
  try {
    const names = await matchNames(tree, file, pattern);
    const bytes = Math.ceil(file.bytes / Math.max(1, names.length));
    return names.map((name) => ({
      ...{ path: file.path, kind: file.kind, steps: file.steps },
      episode: episode === '' ? name : `${episode}/${name}`,
      group: pattern.replace(groupSlot, () => name),
      bytes,
    }));
  } catch (thrown) {
    if (!(thrown instanceof AssayError)) throw thrown;
    return [{ ...file, episode: episode || file.path, group: pattern }];
  }
}

const naturalOrder = new Intl.Collator('en', { numeric: true });

async function matchNames(
  tree: SourceTree,
  { path, kind }: Pick<FoundTable, 'path' | 'kind'>,
  pattern: string,
): Promise<string[]> {
  if (kind === 'folder') return matchArrays(listZarrArrays(tree, path), pattern, /^([^/]+?)(?=\/)/);
  return /\.npz$/i.test(path)
    ? matchArrays(await listNpzArrays(tree, path), pattern, /^(\d+|[^/]+?)(?=[/_.-])/)
    : matchGroups(tree, path, pattern);
}

/** Returns what the slot of the pattern stands for in each matching group of the file; arrays do not match. */
async function matchGroups(tree: SourceTree, path: string, pattern: string): Promise<string[]> {
  const parts = pattern.split('/').filter((part) => part !== '');
  const at = parts.findIndex((part) => groupSlot.test(part));
  const [before, after] = parts[at].split(groupSlot);
  const file = await openHdf5(tree, path);
  try {
    const parent: Hdf5Group | null =
      at === 0 ? file.root : await file.root.group(parts.slice(0, at).join('/'));
    const slots: string[] = [];
    for (const name of parent === null ? [] : (await parent.links()).keys()) {
      const isMatch =
        name.length > before.length + after.length && name.startsWith(before) && name.endsWith(after);
      const rest = [name, ...parts.slice(at + 1)].join('/');
      if (isMatch && (await nullIfUnreadable(parent!.open(rest)))?.kind !== 'dataset')
        slots.push(name.slice(before.length, name.length - after.length));
    }
    return slots.sort(naturalOrder.compare);
  } finally {
    await file.close();
  }
}

/** Returns what the slot of the pattern stands for in the names of arrays: `3` in `demo_3/qpos`. */
function matchArrays(names: readonly string[], pattern: string, slotName: RegExp): string[] {
  const [before, after] = pattern.split(groupSlot);
  const slots = new Set<string>();
  for (const name of names) {
    if (!name.startsWith(before)) continue;
    const rest = name.slice(before.length);
    const slot = after === '' ? slotName.exec(rest)?.[1] : rest.slice(0, Math.max(0, rest.indexOf(after)));
    if (slot !== undefined && slot !== '' && !slot.includes('/')) slots.add(slot);
  }
  return [...slots].sort(naturalOrder.compare);
}

function noTablesError(
  { files }: SourceTree,
  path: string,
  pattern: string,
  group: string | null,
): AssayError {
  if (files.length === 1)
    return new AssayError('unreadable_input', `${path} is a mapping without its tables`, {
      path,
      advice: `pass the folder that contains both the mapping and ${pattern}`,
    });
  const tables = group === null ? pattern : `${pattern} with groups ${group}`;
  return new AssayError('unreadable_input', `${path} expects tables at ${tables}, but no file matches`, {
    path,
    place: '/episodes',
    advice: 'correct episodes in the mapping; paths are relative to its folder',
  });
}

function ambiguousFinding(episode: string, paths: readonly string[]): Finding {
  return {
    code: 'episode_ambiguous',
    severity: 'warning',
    path: paths[1],
    message: `${paths.length} files or folders match episode ${episode}; only ${paths[0]} was read`,
    advice: 'use a more specific pattern in the mapping',
  };
}
