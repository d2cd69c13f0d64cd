import { startsAsHdf5 } from '@assay/hdf5';
import type { Finding, SampledPicture } from '#core/episode';
import { createFileHasher, noHashes, type SourceTree } from '#io/sources';
import { readPicture } from '../hdf5/picture-stream.ts';
import { isNpy } from '../shared/arrays/npy-header.ts';
import { isPickle } from '../shared/arrays/parse-pickle.ts';
import type { RowArray } from '../shared/arrays/row-array.ts';
import { startsAsZip } from '../shared/arrays/zip-directory.ts';
import { computeLookBytes } from '../shared/episode-cuts.ts';
import { isHdf5, openHdf5 } from '../shared/hdf5-file.ts';
import type {
  Dataset,
  PictureRequest,
  PictureStreamRequest,
  Recognition,
  StreamedPicture,
  WorkUnit,
} from '../shared/reader.ts';
import { planCamera } from './array-frames.ts';
import type { ArraySource } from './array-table.ts';
import { findTables, type TableFile } from './find-tables.ts';
import { type Mapping, parseMapping } from './mapping.ts';
import { findMappingFile, mappingFiles } from './mapping-files.ts';
import { openNumpyArray } from './numpy-table.ts';
import { openPickle } from './pickle-table.ts';
import { matchPreset } from './presets/index.ts';
import { readTable } from './read-table.ts';
import { SharedHdf5Files } from './shared-hdf5.ts';
import { openStepFiles } from './steps.ts';
import { isZarrFolder, openZarrArray } from './zarr-table.ts';

/** Maximum files and bytes per work unit: several small tables or one large one. */
const maxUnitFiles = 32;
const maxUnitBytes = 64 * 1024 * 1024;

/** A mapping, by name, and what it leaves unread. */
export interface UsedMapping {
  readonly mapping: Mapping;
  /** The mapping file, or the name of the built-in mapping for messages. */
  readonly mapping_path: string;
  /** Id of the built-in mapping; `null` for a mapping file. */
  readonly preset: string | null;
  readonly findings: readonly Finding[];
}

/**
 * Returns the mapping file of a folder, else the built-in mapping of its layout; throws `not_found` without either,
 * `unreadable_input` if the file is invalid.
 */
export async function loadMapping(tree: SourceTree): Promise<UsedMapping> {
  const path = await findMappingFile(tree);
  const preset = path === null ? await matchPreset(tree) : null;
  if (preset !== null) {
    const mapping_path = `the built-in mapping for ${preset.title}`;
    const unread = tree.files.filter((file) => !preset.accountsFor(file.path)).map((file) => file.path);
    const findings = unread.length === 0 ? [] : [unreadFilesFinding(unread, preset.title)];
    return { mapping: parseMapping(preset.mapping, mapping_path), mapping_path, preset: preset.id, findings };
  }
  const mapping_path = path ?? mappingFiles[0];
  const mapping = parseMapping(await tree.text(mapping_path, 1024 * 1024), mapping_path);
  return { mapping, mapping_path, preset: null, findings: [] };
}

function unreadFilesFinding(paths: readonly string[], title: string): Finding {
  const listed = paths.slice(0, 3).join(', ');
  return {
    code: 'files_beside',
    severity: 'info',
    path: null,
    message: `${paths.length} ${paths.length === 1 ? 'file is' : 'files are'} not part of the layout of ${title} or not read: ${listed}${paths.length > 3 ? ', …' : ''}`,
    advice: 'move recordings in other formats into a folder of their own; audio is not evaluated',
    evidence: { files: paths.length },
  };
}

/**
 * Opens the tables of a folder as a dataset, by its mapping file, else by the built-in mapping of its layout; throws
 * `unreadable_input` if it is invalid or names no existing table.
 */
export async function openMapped(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  return openWithMapping(tree, recognition, await loadMapping(tree));
}

/**
 * Opens the tables of a mapping as a dataset, each read only when its unit is; throws `unreadable_input` if the mapping
 * names no existing table.
 * @param describesPictures true if stored pictures are only counted and measured, not read
 */
export async function openWithMapping(
  tree: SourceTree,
  recognition: Recognition,
  { mapping, mapping_path, preset, findings: unread }: UsedMapping,
  describesPictures = false,
): Promise<Dataset> {
  const { files, findings } = await findTables(tree, mapping, mapping_path);
  const hdf5 = new SharedHdf5Files(tree);
  const set = { tree, mapping, mapping_path, describesPictures, storesTimes: preset === null, hdf5 };
  return {
    facts: {
      format: 'mapped',
      version: preset,
      declared_episodes: null,
      declared_frames: null,
      declared_rate_hz: typeof mapping.rate_hz === 'number' ? mapping.rate_hz : null,
      robot: mapping.robot ?? null,
      declared_cameras: mapping.videos
        .filter((video) => !('optional' in video && video.optional === true))
        .map(({ id }) => id),
    },
    recognition,
    findings: [...findings, ...unread],
    units: buildUnits(files),
    async *read(unit, options) {
      // One for all, because groups of a file share its hash.
      const hasher = options.look === true || describesPictures ? noHashes : createFileHasher(tree);
      for (const file of files.slice(unit.first_index, unit.first_index + unit.expected_episodes))
        yield* readTable(set, file, options, hasher);
    },
    picturesAt: (request) => readStoredPicture(tree, mapping, request),
    pictures: (request) => readStoredPictures(tree, mapping, request),
    close: () => hdf5.close(),
  };
}

function buildUnits(files: readonly TableFile[]): WorkUnit[] {
  const units: WorkUnit[] = [];
  for (let first = 0; first < files.length; ) {
    let { bytes } = files[first];
    let end = first + 1;
    while (end < files.length && end - first < maxUnitFiles && bytes + files[end].bytes <= maxUnitBytes)
      bytes += files[end++].bytes;
    units.push({
      id: `tables ${first}`,
      expected_episodes: end - first,
      first_index: first,
      bytes,
      look_bytes: computeLookBytes(bytes),
      selector: null,
    });
    first = end;
  }
  return units;
}

/** Reads one picture of a camera of a mapped file; empty if it does not exist. */
async function readStoredPicture(
  tree: SourceTree,
  mapping: Mapping,
  { row, ...request }: PictureRequest,
): Promise<readonly SampledPicture[]> {
  for await (const { key: _, ...picture } of readRows(tree, mapping, request, row, row + 1)) return [picture];
  return [];
}

/** Reads every picture of a camera of a mapped file in order. Missing rows are skipped. */
function readStoredPictures(
  tree: SourceTree,
  mapping: Mapping,
  request: PictureStreamRequest,
): AsyncGenerator<StreamedPicture, void, undefined> {
  return readRows(tree, mapping, request, 0, request.rows);
}

async function* readRows(
  tree: SourceTree,
  { videos, episodes }: Mapping,
  { locator: { path, channel } }: Pick<PictureRequest, 'locator'>,
  from: number,
  to: number,
): AsyncGenerator<StreamedPicture, void, undefined> {
  const isOfChannel = (column: string) =>
    channel.endsWith(column) && /^$|[/_.-]$/.test(channel.slice(0, channel.length - column.length));
  // The longest name, because `wrist/image` also ends like the camera `image`.
  const [camera] = videos
    .flatMap((video) => ('column' in video && isOfChannel(video.column) ? [video] : []))
    .sort((a, b) => b.column.length - a.column.length);
  if (camera === undefined) return;
  const steps = 'steps' in episodes ? (episodes.steps ?? null) : null;
  const opened = await openArray(tree, { path, name: channel, steps: tree.has(path) ? null : steps });
  if (opened === null) return;
  try {
    const plan = await planCamera(opened.array, camera);
    for (let row = from; row < to && plan !== null; row++) {
      const stored = await readPicture([plan], channel, row);
      if (stored === null) continue;
      const picture = { index: row, time_s: 0, bytes: Uint8Array.from(stored.bytes), key: true };
      yield stored.layout === null ? picture : { ...picture, layout: stored.layout };
    }
  } finally {
    await opened.close();
  }
}

/**
 * Opens an array of an HDF5, NPZ, NPY or pickle file, of a zarr, or of a folder of steps, by its name; `null` if there is none. The
 * caller must close it.
 */
async function openArray(
  tree: SourceTree,
  { path, name, steps }: { readonly path: string; readonly name: string; readonly steps: string | null },
): Promise<{ readonly array: RowArray; close(): Promise<void> } | null> {
  if (steps !== null) return findArray(await openStepFiles(tree, path, steps), name);
  if (isZarrFolder(tree, path)) return openZarrArray(tree, path, name);
  if (!tree.has(path)) return null;
  const head = await tree.head(path, 8);
  if (startsAsZip(head) || isNpy(head)) return openNumpyArray(tree, path, name);
  if (isPickle(head)) return findArray(await openPickle(tree, path), name);
  if (!startsAsHdf5(head) && !(await isHdf5(tree, path))) return null;
  const file = await openHdf5(tree, path);
  const array = await file.root.dataset(name);
  if (array !== null) return { array, close: () => file.close() };
  await file.close();
  return null;
}

function findArray(source: ArraySource, name: string): { array: RowArray; close(): Promise<void> } | null {
  const array = source.arrays.get(name);
  return array === undefined ? null : { array, close: () => source.close() };
}
