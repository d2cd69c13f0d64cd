import type { Hdf5File } from '@assay/hdf5';
import type { SourceTree } from '#io/sources';
import { listArrays } from '../../shared/arrays/step-arrays.ts';
import { folderOf, isPictureName } from '../../shared/file-names.ts';
import { nullIfUnreadable, openHdf5 } from '../../shared/hdf5-file.ts';
import { countJsonLists } from '../json-table.ts';
import { mappingFiles } from '../mapping-files.ts';
import { listNpzArrays } from '../numpy-table.ts';
import type { TableLocation } from '../open-table.ts';
import { openStepFiles } from '../steps.ts';
import { findZarrFolders, listZarrArrays } from '../zarr-table.ts';

/** Arrangement of tables and videos in a folder. */
export interface Layout {
  /** The table that is sampled. */
  readonly sample: TableLocation;
  /** Pattern with `{episode}`, or the path of the only table; of folders if the sample is one. */
  readonly tables: string;
  readonly table_count: number;
  /** Pattern of the groups of HDF5 files that are episodes, and their number in the first file. */
  readonly groups: { readonly pattern: string; readonly count: number } | null;
  /** Path of the list of records in JSON documents; `null` if there is none to name. */
  readonly rows: string | null;
  /** True if the tables are zarr folders. */
  readonly isZarr?: boolean;
  /** True if one table may hold several episodes. */
  readonly is_single: boolean;
  readonly videos: readonly {
    readonly id: string;
    readonly pattern: string;
    readonly count: number;
    readonly is_exact: boolean;
  }[];
}

/** Files of one kind of table; a layout has tables of one kind only. */
const hdf5Name = /\.(h5|hdf5|hdf|he5|h5py)$/i;
const jsonName = /\.(json|jsonl|ndjson)$/i;
const npzName = /\.npz$/i;
const pickleName = /\.(pkl|pickle)$/i;
const tableKinds = [/\.(csv|tsv|parquet)$/i, hdf5Name, npzName, pickleName, jsonName] as const;
/** Kinds of files that may be one step each. */
const stepKinds = [pickleName, npzName, /\.json$/i] as const;
const videoName = /\.(mp4|mkv|mov|webm|avi|m4v)$/i;

/**
 * Returns a layout for each kind of table in a folder (which part of the file names is the episode), the kind with the
 * most bytes first; empty if there is no table.
 */
export async function detectLayouts(tree: SourceTree): Promise<Layout[]> {
  const isMapping = (path: string) => mappingFiles.some((name) => name === path);
  const zarrs = findZarrFolders(tree);
  const isInZarr = (path: string) => zarrs.some((folder) => folder === '.' || path.startsWith(`${folder}/`));
  const files = tree.files.filter(
    ({ path, bytes }) => bytes > 0 && !isMapping(path) && !(zarrs.length > 0 && isInZarr(path)),
  );
  const sizes = new Map(files.map(({ path, bytes }) => [path, bytes]));
  const videos = files.flatMap(({ path }) => (videoName.test(path) ? [path] : []));
  const videoEpisodes = new Set(videos.flatMap((path) => findSlots(path).map(({ episode }) => episode)));
  const found: { layout: Layout; bytes: number }[] = [];
  const steps = await describeSteps(tree, files, videos);
  if (steps !== null) found.push(steps);
  for (const kind of tableKinds) {
    const family = largestFamily(
      files.flatMap(({ path }) => (kind.test(path) ? [path] : [])),
      videoEpisodes,
      sizes,
    );
    if (family === null) continue;
    const bytes = family.paths.reduce((sum, path) => sum + (sizes.get(path) ?? 0), 0);
    // The largest one, because short ones may have been stopped before anything moved.
    const sample = family.paths.reduce((best, path) =>
      (sizes.get(path) ?? 0) > (sizes.get(best) ?? 0) ? path : best,
    );
    found.push({ layout: await describeLayout(tree, family, sample, videos), bytes });
  }
  const folders = describeNpyFolders(tree, videos);
  const zarr = describeZarr(tree, zarrs, videos);
  if (zarr !== null) found.push(zarr);
  if (folders !== null) found.push(folders);
  return found.sort((a, b) => b.bytes - a.bytes).map(({ layout }) => layout);
}

async function describeLayout(
  tree: SourceTree,
  { paths, pattern, episodes }: Family,
  path: string,
  videos: readonly string[],
): Promise<Layout> {
  const isLone = paths.length === 1;
  const hasGroups = hdf5Name.test(path) || npzName.test(path);
  const groups = hasGroups ? await nullIfUnreadable(detectGroups(tree, path)) : null;
  const rows = jsonName.test(path) ? await nullIfUnreadable(detectRows(tree, path)) : null;
  return {
    sample: { path, kind: 'file', group: groups?.first ?? null, steps: null },
    tables: pattern,
    table_count: paths.length,
    groups:
      groups === null ? null : { pattern: groups.pattern(isLone ? '{episode}' : '*'), count: groups.count },
    rows,
    is_single: isLone && groups === null,
    videos: videoPatterns(videos, episodes),
  };
}

/** Groups of an HDF5 file that are one episode each. */
interface EpisodeGroups {
  readonly first: string;
  readonly count: number;
  pattern(slot: string): string;
}

const episodeWord = /(episode|ep|demo|traj|trajectory|run|trial|rollout)[_-]?\d+$/i;
/** Fraction of the arrays that must lie in the numbered groups. */
const minCoverage = 0.9;

/** True for a group that is named like an episode or by a number, unlike `robot0` and `camera_1`. */
const isEpisodeName = (path: string): boolean => episodeWord.test(path) || /(^|\/)\d+$/.test(path);

/**
 * Detects numbered groups such as `data/demo_0` that are named like episodes and hold nearly all arrays of a file; `null`
 * if there are none. Arrays of an `.npz` are in groups by their names: `demo_0/qpos`, `demo_0_qpos`.
 */
async function detectGroups(tree: SourceTree, path: string): Promise<EpisodeGroups | null> {
  if (!npzName.test(path)) return groupsOf(await listHdf5Arrays(tree, path));
  const names = await listNpzArrays(tree, path);
  // The separator after the number becomes a slash, so that names read like paths of groups.
  return groupsOf(names.map((name) => name.replace(/(\d)[/_.-](?=.)/, '$1/')));
}

async function listHdf5Arrays(tree: SourceTree, path: string): Promise<string[]> {
  const file: Hdf5File = await openHdf5(tree, path);
  try {
    return [...(await listArrays(file.root, path)).arrays.keys()];
  } finally {
    await file.close();
  }
}

function groupsOf(arrays: readonly string[]): EpisodeGroups | null {
  const candidates = new Map<string, { groups: Set<string>; arrays: number }>();
  for (const array of arrays) {
    const parts = array.split('/');
    for (let at = 0; at < parts.length - 1; at++) {
      const stem = /^(.*?)\d+$/.exec(parts[at])?.[1];
      if (stem === undefined) continue;
      const key = [...parts.slice(0, at), stem].join('/');
      const known = candidates.get(key) ?? { groups: new Set(), arrays: 0 };
      known.groups.add(parts.slice(0, at + 1).join('/'));
      known.arrays++;
      candidates.set(key, known);
    }
  }
  for (const [stem, { groups, arrays: covered }] of candidates) {
    const [first] = groups;
    if (covered < minCoverage * arrays.length || !isEpisodeName(first)) continue;
    return { first, count: groups.size, pattern: (slot) => `${stem}${slot}` };
  }
  return null;
}

/** Fewer numbered files in a folder are episodes. */
const minSteps = 8;

/** Describes folders of many numbered files that are one step each, with their bytes; `null` if there are none. */
async function describeSteps(
  tree: SourceTree,
  files: SourceTree['files'],
  videos: readonly string[],
): Promise<{ layout: Layout; bytes: number } | null> {
  for (const kind of stepKinds) {
    const folders = Map.groupBy(
      files.filter(({ path }) => kind.test(path) && /\d/.test(fileName(path))),
      ({ path }) => folderOf(path) || '.',
    );
    const [largest] = [...folders].sort(([, a], [, b]) => b.length - a.length);
    if (largest === undefined || largest[1].length < minSteps) continue;
    const [folder, members] = largest;
    if ((await nullIfUnreadable(isStep(tree, members[members.length >> 1].path))) !== true) continue;
    const extension = /\.\w+$/.exec(members[0].path)?.[0] ?? '';
    const sizes = new Map([...folders].map(([name, inside]) => [`${name}/steps`, inside.length]));
    const family = largestFamily([...sizes.keys()], new Set(), sizes);
    const isMany = family !== null && family.paths.length > 1;
    const bytes = [...folders.values()].flat().reduce((sum, file) => sum + file.bytes, 0);
    const layout: Layout = {
      sample: { path: folder, kind: 'folder', group: null, steps: `*${extension}` },
      tables: isMany ? family.pattern.slice(0, -'/steps'.length) : folder,
      table_count: isMany ? family.paths.length : 1,
      ...{ groups: null, rows: null, is_single: !isMany },
      videos: [
        ...videoPatterns(videos, isMany ? family.episodes : ['']),
        ...pictureFolders(files, folder, members.length, isMany ? family : null),
      ],
    };
    return { layout, bytes };
  }
  return null;
}

/** Returns patterns of the picture files of a folder of steps and its subfolders, if there is one for each step. */
function pictureFolders(
  files: SourceTree['files'],
  folder: string,
  steps: number,
  family: Family | null,
): Layout['videos'] {
  const inside = files.filter(
    ({ path }) => (folder === '.' || path.startsWith(`${folder}/`)) && isPictureName(path),
  );
  const episode = family === null ? null : family.episodes[family.paths.indexOf(`${folder}/steps`)];
  return [...Map.groupBy(inside, ({ path }) => folderOf(path))].flatMap(([at, pictures]) => {
    if (pictures.length !== steps) return [];
    const extension = /\.\w+$/.exec(pictures[0].path)?.[0] ?? '';
    const rest = at.slice(folder === '.' ? 0 : folder.length);
    const base =
      family === null || episode == null ? at : `${family.pattern.slice(0, -'/steps'.length)}${rest}`;
    const pattern = base === '' ? `*${extension}` : `${base}/*${extension}`;
    return [{ id: cameraName(pattern.replace('/*', '')), pattern, count: pictures.length, is_exact: true }];
  });
}

const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Longer values are rows of an episode if most values of a file are as long, up to one row. */
const minRows = 32;

/** Returns true if a file holds the values of one step and not arrays with one row for each of many steps. */
async function isStep(tree: SourceTree, path: string): Promise<boolean> {
  if (/\.json$/i.test(path) && (await countJsonLists(tree, path)).size > 0) return false;
  const { arrays } = await openStepFiles(tree, folderOf(path) || '.', fileName(path));
  const shapes = [...arrays.values()].filter(({ isNumeric }) => isNumeric).map(({ shape }) => shape.slice(1));
  const isPicture = ([height, width, channels = 1]: readonly number[]) =>
    height >= 8 && width >= 8 && (channels === 3 || channels === 4 || channels === 1);
  // Arrays of an episode have as many rows as each other; those of a step are vectors of different lengths, or pictures.
  const tables = shapes.filter((shape) => shape.length >= 2 && !(shape.length <= 3 && isPicture(shape)));
  const lengths = new Set(tables.map(([rows]) => rows));
  if (shapes.length === 0 || (tables.length >= 2 && lengths.size < tables.length)) return false;
  const values = shapes.filter((shape) => shape.length >= 1 && !(shape.length >= 2 && isPicture(shape)));
  const long = values.map(([rows]) => rows).filter((rows) => rows >= minRows);
  const alike = long.filter((rows) => Math.abs(rows - long[0]) <= 1);
  return 2 * alike.length <= values.length;
}

/**
 * Describes the folders whose `.npy` files belong together, by the file name that most folders have; `null` if there are
 * none.
 */
function describeNpyFolders(
  tree: SourceTree,
  videos: readonly string[],
): { layout: Layout; bytes: number } | null {
  const byName = Map.groupBy(
    tree.files.filter(({ path, bytes }) => /\.npy$/i.test(path) && bytes > 0),
    ({ path }) => path.slice(path.lastIndexOf('/') + 1),
  );
  const [common] = [...byName.values()].sort((a, b) => b.length - a.length);
  if (common === undefined) return null;
  const sizes = new Map(common.map(({ path, bytes }) => [path, bytes]));
  const family = largestFamily([...sizes.keys()], new Set(), sizes);
  if (family === null) return null;
  const sample = family.paths.reduce((best, path) =>
    (sizes.get(path) ?? 0) > (sizes.get(best) ?? 0) ? path : best,
  );
  const bytes = [...byName.values()].flat().reduce((sum, file) => sum + file.bytes, 0);
  const isMany = folderOf(family.pattern).includes('{episode}');
  const layout: Layout = {
    sample: { path: folderOf(sample) || '.', kind: 'folder', group: null, steps: null },
    tables: (isMany ? folderOf(family.pattern) : folderOf(sample)) || '.',
    table_count: isMany ? family.paths.length : 1,
    ...{ groups: null, rows: null, is_single: !isMany },
    videos: videoPatterns(videos, family.episodes),
  };
  return { layout, bytes };
}

/** Describes zarr folders by the part of their names that differs, and their numbered groups; `null` if there are none. */
function describeZarr(
  tree: SourceTree,
  zarrs: readonly string[],
  videos: readonly string[],
): { layout: Layout; bytes: number } | null {
  const bytesOf = (folder: string) =>
    (folder === '.' ? tree : tree.subtree(folder)).files.reduce((sum, { bytes }) => sum + bytes, 0);
  const sizes = new Map(zarrs.map((folder) => [folder, bytesOf(folder)]));
  const family = largestFamily(zarrs, new Set(), sizes);
  if (family === null) return null;
  const sample = family.paths.reduce((best, path) =>
    (sizes.get(path) ?? 0) > (sizes.get(best) ?? 0) ? path : best,
  );
  const isLone = family.paths.length === 1;
  const groups = groupsOf(listZarrArrays(tree, sample));
  const layout: Layout = {
    sample: { path: sample, kind: 'folder', group: groups?.first ?? null, steps: null },
    tables: family.pattern,
    table_count: family.paths.length,
    groups:
      groups === null ? null : { pattern: groups.pattern(isLone ? '{episode}' : '*'), count: groups.count },
    ...{ rows: null, is_single: isLone && groups === null, isZarr: true },
    videos: videoPatterns(videos, family.episodes),
  };
  return { layout, bytes: family.paths.reduce((sum, path) => sum + (sizes.get(path) ?? 0), 0) };
}

/** Returns the path of the list with the most objects; `null` for lists and JSON Lines. */
async function detectRows(tree: SourceTree, path: string): Promise<string | null> {
  const lists = [...(await countJsonLists(tree, path))].sort(([, a], [, b]) => b - a);
  return lists[0]?.[0] || null;
}

interface Family {
  readonly pattern: string;
  readonly paths: readonly string[];
  readonly episodes: readonly string[];
}

/**
 * Returns the largest group of paths that differ in one part of the name only. Of equally large groups, one whose
 * varying part also names a video is preferred, then the one with the most bytes. `null` for no paths.
 */
function largestFamily(
  paths: readonly string[],
  videoEpisodes: ReadonlySet<string>,
  sizes: ReadonlyMap<string, number>,
): Family | null {
  const families = new Map<string, { path: string; episode: string }[]>();
  for (const path of paths) {
    for (const { pattern, episode } of findSlots(path)) {
      const group = families.get(pattern);
      if (group === undefined) families.set(pattern, [{ path, episode }]);
      else if (group[group.length - 1].path !== path) group.push({ path, episode });
    }
  }
  const score = (members: readonly { episode: string }[]) =>
    2 * members.length + (members.some(({ episode }) => videoEpisodes.has(episode)) ? 1 : 0);
  const bytesOf = (members: readonly { path: string }[]) =>
    members.reduce((sum, { path }) => sum + (sizes.get(path) ?? 0), 0);
  const [best] = [...families]
    .filter(([, members]) => members.length > 1)
    .sort(([, a], [, b]) => score(b) - score(a) || bytesOf(b) - bytesOf(a));
  if (best !== undefined) {
    const [pattern, members] = best;
    return {
      pattern,
      paths: members.map(({ path }) => path),
      episodes: members.map(({ episode }) => episode),
    };
  }
  return paths.length === 0 ? null : { pattern: paths[0], paths: paths.slice(0, 1), episodes: [''] };
}

/** Returns patterns for each part of a path that may be an episode name: a number, a folder, or the file name. */
function findSlots(path: string): { pattern: string; episode: string }[] {
  const cut = (from: number, to: number) => ({
    pattern: `${path.slice(0, from)}{episode}${path.slice(to)}`,
    episode: path.slice(from, to),
  });
  const slots = [...path.matchAll(/\d+/g)].map(({ index, 0: digits }) => cut(index, index + digits.length));
  const nameAt = path.lastIndexOf('/') + 1;
  const dot = path.lastIndexOf('.');
  slots.push(cut(nameAt, dot > nameAt ? dot : path.length));
  let from = 0;
  for (const part of path.slice(0, Math.max(0, nameAt - 1)).split('/')) {
    if (part !== '') slots.push(cut(from, from + part.length));
    from += part.length + 1;
  }
  return slots.toReversed();
}

/**
 * Returns patterns of videos whose names contain the tables' episodes; if there are none, the largest group of video
 * names.
 */
function videoPatterns(videos: readonly string[], episodes: readonly string[]): Layout['videos'] {
  const knownEpisodes = new Set(episodes);
  const families = new Map<string, number>();
  for (const path of videos) {
    const slot = findSlots(path).find(({ episode }) => knownEpisodes.has(episode));
    if (slot !== undefined) families.set(slot.pattern, (families.get(slot.pattern) ?? 0) + 1);
  }
  const matching = [...families].slice(0, 20);
  if (matching.length > 0 || videos.length === 0)
    return matching.map(([pattern, count]) => ({ id: cameraName(pattern), pattern, count, is_exact: true }));
  const family = largestFamily(videos, new Set(), new Map());
  if (family === null) return [];
  return [
    { id: cameraName(family.pattern), pattern: family.pattern, count: family.paths.length, is_exact: false },
  ];
}

/**
 * Returns a camera name: the last part of a pattern without the episode and generic folder names; `camera` if nothing
 * remains.
 */
function cameraName(pattern: string): string {
  const words = pattern
    .replace(/\.[^.]*$/, '')
    .split('/')
    .map((part) => part.replace(/(episode|run|trial|demo)?[_-]?\{episode\}[_-]?/i, ''))
    .filter((part) => part !== '' && !/^(videos?|cameras?|cams?|data|media|chunk-?\d+)$/i.test(part));
  return words.at(-1) ?? 'camera';
}
