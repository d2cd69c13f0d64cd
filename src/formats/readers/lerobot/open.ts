import type { Episode } from '#episode';
import { AssayError } from '#kernel';
import { whileHeld, withHeld } from '../../bytes/byte-store.ts';
import { createFileHasher } from '../../bytes/file-hash.ts';
import type { SourceTree } from '../../bytes/source-tree.ts';
import type { ParquetColumn } from '../../parquet/footer.ts';
import type { Dataset, ReadOptions, Recognition, Unreadable, WorkUnit } from '../../reader.ts';
import { compareColumns, findHomes, referenceColumns, reportFooter } from './data-findings.ts';
import { type EpisodeTable, rowLookup } from './episode-table.ts';
import { readEpisodesV2 } from './episodes-v2.ts';
import { readEpisodesV3 } from './episodes-v3.ts';
import { type Feature, infoPath, type LeRobotInfo, readInfo } from './info.ts';
import { layoutOf } from './layout.ts';
import type { LeRobotSet } from './lerobot-set.ts';
import { lfsPointers } from './lfs.ts';
import {
  compareDeclared,
  reportMissingVideos,
  reportOverlaps,
  reportUnreferenced,
} from './metadata-findings.ts';
import { withModalityNames } from './modality.ts';
import { enumerate, Notes } from './notes.ts';
import { pictureAt } from './picture-at.ts';
import { readUnitV2, type TableRows } from './read-v2.ts';
import { readUnitV3 } from './read-v3.ts';
import { Sources } from './sources.ts';
import { readStats } from './stats.ts';
import { readTasks } from './tasks.ts';
import { assignEpisodes, dataFilesV3, type Homes, type RowRange, unitsV3 } from './units-v3.ts';

const filesPerUnit = 64;

/** Opens a set: reads its tables, compares them with what lies there, and cuts the data into units. */
export async function openLeRobot(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  if (!tree.has(infoPath)) {
    throw new AssayError('unsupported_version', 'LeRobot v1 (meta_data/, safetensors) is not read', {
      path: 'meta_data/info.json',
      advice: 'convert it to v2.0 or newer with the library first',
    });
  }
  const notes = new Notes();
  const info = await readInfo(tree, notes);
  const layout = layoutOf(tree, info, notes);
  const pointers = await lfsPointers(tree, notes);
  const dataFiles = dataFilesOf(tree, layout);
  if (dataFiles.length === 0) throw nothingToRead(info);
  const usable = dataFiles.filter((file) => !pointers.has(file) && (tree.entry(file)?.bytes ?? 0) > 0);
  const tables = tree.files.map((file) => file.path).filter((path) => /^meta\/.*\.parquet$/i.test(path));
  const held = await tree.hold(tables);
  try {
    return await openTables(tree, { recognition, notes, info, layout, pointers, usable });
  } finally {
    await held.release();
  }
}

interface Opening {
  readonly recognition: Recognition;
  readonly notes: Notes;
  readonly info: LeRobotInfo;
  readonly layout: 'v2' | 'v3';
  readonly pointers: ReadonlySet<string>;
  /** Data files that are neither empty nor pointers. */
  readonly usable: readonly string[];
}

async function openTables(tree: SourceTree, opening: Opening): Promise<Dataset> {
  const { recognition, notes, info, layout, pointers, usable } = opening;
  const reference = await referenceColumns(tree, usable, notes);
  const features = await featuresOf(tree, info, reference?.columns ?? null, notes);
  const cameraKeys = [...features.values()]
    .filter((feature) => feature.dtype === 'video')
    .map((feature) => feature.key);
  const tasks = await readTasks(tree, layout, notes);
  const { episodes, homes } = await readEpisodes(tree, info, layout, cameraKeys, usable, notes);
  const set: LeRobotSet = {
    tree,
    layout,
    info,
    features,
    tasks,
    episodes,
    stats: await readStats(tree, features, notes),
    cameras: carriedCameras(tree, features, episodes, notes),
    hasher: createFileHasher(tree),
    reference: reference?.columns ?? null,
    columns: new Map(),
    pointers,
  };
  if (reference !== null) {
    compareColumns(features, reference, notes);
    await reportFooter(tree, reference.file, notes);
  }
  compareDeclared(set, notes);
  reportMissingVideos(set, notes);
  reportUnreferenced(set, notes);
  reportOverlaps(set, notes);
  return datasetOf(set, homes, recognition, notes, cameraKeys);
}

function datasetOf(
  set: LeRobotSet,
  homes: Homes,
  recognition: Recognition,
  notes: Notes,
  cameraKeys: readonly string[],
): Dataset {
  const { info, layout, tree, episodes, features } = set;
  const pictures = [...features.values()].filter((feature) => feature.dtype === 'image');
  const shared = { set, home: homes, assigned: assignEpisodes(tree, episodes, homes) };
  const sources = { hashed: new Sources(set, true), named: new Sources(set, false) };
  const sourcesFor = ({ hashes }: ReadOptions) => (hashes === false ? sources.named : sources.hashed);
  return {
    facts: {
      format: 'lerobot',
      version: info.version,
      declared_episodes: info.total_episodes,
      declared_frames: info.total_frames,
      declared_rate_hz: info.fps,
      robot: info.robot,
      declared_cameras: [...cameraKeys, ...pictures.map((feature) => feature.key)],
    },
    recognition,
    findings: notes.list(),
    units: layout === 'v3' ? unitsV3(tree, episodes, shared.assigned) : unitsV2(set),
    read: (unit, options) => {
      const episodes =
        layout === 'v3'
          ? readUnitV3({ ...shared, sources: sourcesFor(options) }, unit.selector as RowRange, options)
          : readUnitV2(set, sourcesFor(options), unit.selector as TableRows, options);
      const reading = withProgress(unit, options, episodes);
      return tree.store === null ? reading : whileHeld(tree.hold(dataFilesOfUnit(set, unit)), reading);
    },
    picturesAt: (wanted) =>
      withHeld(tree.hold([wanted.locator.path]), async (held) =>
        pictureAt(features, held.absolute(wanted.locator.path), wanted),
      ),
    close: async () => {},
  };
}

/** Files that reading a unit opens by name. */
function dataFilesOfUnit({ layout, episodes, tree }: LeRobotSet, { selector }: WorkUnit): string[] {
  if (layout === 'v3') return [(selector as RowRange).file];
  const { from_row, to_row } = selector as TableRows;
  const rows = Array.from({ length: to_row - from_row }, (_, at) => episodes.dataPath(from_row + at));
  return rows.flatMap((path) => (path !== null && tree.has(path) ? [path] : []));
}

/** Episodes between two reports of progress. */
const reportEvery = 64;

async function* withProgress(
  unit: WorkUnit,
  options: ReadOptions,
  read: AsyncGenerator<Episode | Unreadable>,
): AsyncGenerator<Episode | Unreadable> {
  let done = 0;
  for await (const episode of read) {
    yield episode;
    done += 1;
    if (done % reportEvery !== 0) continue;
    options.onBytes?.(Math.round((unit.bytes * done) / Math.max(done, unit.expected_episodes)));
  }
  options.onBytes?.(unit.bytes);
}

function dataFilesOf(tree: SourceTree, layout: 'v2' | 'v3'): string[] {
  if (layout === 'v3') return dataFilesV3(tree);
  return tree.files.map((file) => file.path).filter((path) => /^data\/.*episode_\d+\.parquet$/i.test(path));
}

function nothingToRead(info: LeRobotInfo): AssayError {
  const lacks = [
    info.version === null ? 'no codebase_version' : '',
    info.features.size === 0 ? 'no features' : '',
  ].filter((part) => part !== '');
  const also = lacks.length === 0 ? '' : `; ${infoPath} has ${lacks.join(' and ')}`;
  return new AssayError(
    'unreadable_input',
    `the set has no data file: no Parquet file lies below data/${also}`,
    {
      path: 'data',
      advice: 'copy or download the data folder beside meta/',
    },
  );
}

async function featuresOf(
  tree: SourceTree,
  info: LeRobotInfo,
  columns: readonly ParquetColumn[] | null,
  notes: Notes,
): Promise<ReadonlyMap<string, Feature>> {
  if (info.features.size > 0) return withModalityNames(tree, info.features, notes);
  notes.add(
    'features_missing',
    'error',
    infoPath,
    `${infoPath} declares no features; they are taken from the data file's columns`,
    'declare every feature: the library cannot open the set without them',
  );
  const derived = (columns ?? []).map(({ name, type }): [string, Feature] => {
    const dtype = /BLOB/.test(type) ? 'image' : /^VARCHAR|^STRUCT/.test(type) ? 'string' : 'float32';
    return [name, { key: name, dtype, shape: [], names: null, raw_names: null, details: {}, unit: null }];
  });
  return new Map(derived);
}

async function readEpisodes(
  tree: SourceTree,
  info: LeRobotInfo,
  layout: 'v2' | 'v3',
  cameras: readonly string[],
  usable: readonly string[],
  notes: Notes,
): Promise<{ episodes: EpisodeTable; homes: Homes }> {
  if (layout === 'v2') {
    const episodes = await readEpisodesV2(tree, info, cameras, notes);
    return { episodes, homes: () => undefined };
  }
  const table = await readEpisodesV3(tree, info, cameras, notes);
  const homes = await findHomes(tree, usable, table ?? emptyTable([]));
  const found = [...(homes?.keys() ?? [])].sort((a, b) => a - b);
  return {
    episodes: table ?? emptyTable(found),
    homes: (episode) => homes?.get(episode),
  };
}

function emptyTable(indexes: readonly number[]): EpisodeTable {
  const index = Int32Array.from(indexes);
  return {
    files: [],
    count: index.length,
    index,
    length: new Int32Array(index.length).fill(-1),
    rowOf: rowLookup(index),
    tasks: () => null,
    dataPath: () => null,
    video: () => null,
  };
}

/** A camera without a single file while others have theirs is a line of metadata, not a stream of the episodes. */
function carriedCameras(
  tree: SourceTree,
  features: ReadonlyMap<string, Feature>,
  episodes: EpisodeTable,
  notes: Notes,
): Feature[] {
  const declared = [...features.values()].filter((feature) => feature.dtype === 'video');
  const withFiles = declared.filter((feature) => {
    for (let row = 0; row < episodes.count; row++) {
      const span = episodes.video(row, feature.key);
      if (span !== null && tree.has(span.path)) return true;
    }
    return false;
  });
  const without = declared.filter((feature) => !withFiles.includes(feature)).map((feature) => feature.key);
  // Where no camera has files the episodes keep them all, and comparing them says so.
  if (without.length > 0 && withFiles.length > 0) {
    notes.add(
      'camera_without_files',
      'error',
      'videos',
      `${enumerate(without)} ${without.length === 1 ? 'is a declared camera' : 'are declared cameras'} without a single video file`,
      'add the videos, or take the camera out of features',
      { cameras: without },
    );
  }
  return withFiles.length > 0 ? withFiles : declared;
}

/** Groups of episode files; rows of the table in order. */
function unitsV2(set: LeRobotSet): WorkUnit[] {
  const units: WorkUnit[] = [];
  const { episodes, tree } = set;
  for (let from = 0; from < episodes.count; from += filesPerUnit) {
    const to = Math.min(from + filesPerUnit, episodes.count);
    let bytes = 0;
    for (let row = from; row < to; row++) bytes += tree.entry(episodes.dataPath(row) ?? '')?.bytes ?? 0;
    const selector: TableRows = { from_row: from, to_row: to };
    units.push({
      id: `episodes-${from}`,
      expected_episodes: to - from,
      first_index: episodes.index[from],
      bytes,
      selector,
    });
  }
  return units;
}
