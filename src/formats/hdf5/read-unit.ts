import { type Hdf5Dataset, type Hdf5File, walkDatasets } from '@assay/hdf5';
import { AssayError, defineRegistry } from '#core';
import type { Episode, Finding, SampledPicture, SourceRef } from '#core/episode';
import { createFileHasher, hashScope, type SourceTree, sourceRefs } from '#io/sources';
import { ArrayPool } from '../shared/arrays/step-arrays.ts';
import { openHdf5 } from '../shared/hdf5-file.ts';
import type {
  PictureRequest,
  PictureStreamRequest,
  ReadOptions,
  StreamedPicture,
  Unreadable,
  WorkUnit,
} from '../shared/reader.ts';
import { alohaFamily } from './aloha.ts';
import { d4rlFamily } from './d4rl.ts';
import type { EpisodeOptions, EpisodeParts, Hdf5Recording } from './family.ts';
import { robomimicFamily } from './robomimic.ts';

/**
 * Yields the episodes of one file in order; an `Unreadable` for each that cannot be read, and a single one if the file
 * cannot be opened.
 */
export async function* readUnit(
  tree: SourceTree,
  unit: WorkUnit,
  options: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  const path = unit.id;
  const opened = await openRecording(tree, path);
  if (opened instanceof AssayError) {
    yield unreadable(episodeId(path, ''), unit.first_index, path, opened);
    return;
  }
  const { recording, close } = opened;
  try {
    const files = [{ path, role: 'data' }] as const;
    const sources = await sourceRefs(tree, files, createFileHasher(tree), hashScope(options));
    const pictures = options.look !== true;
    let pool = options.reuse_arrays === true ? new ArrayPool() : null;
    for (const [position, name] of recording.episodes.entries()) {
      options.signal?.throwIfAborted();
      const index = unit.first_index + position;
      const source = { id: episodeId(path, name), index, path, sources, findings: openingFindings(unit) };
      const item = await readEpisode(recording, position, source, { pictures, pool });
      pool?.nextEpisode();
      // Episodes with images are kept until these are decoded, so their arrays must not be overwritten: memory is no
      // longer reused.
      if (!('unreadable' in item) && item.streams.some(({ frames }) => frames !== undefined)) pool = null;
      yield item;
      options.onBytes?.((unit.bytes * (position + 1)) / recording.episodes.length);
    }
  } finally {
    await close();
  }
}

interface Opened {
  readonly recording: Hdf5Recording;
  readonly close: () => Promise<void>;
}

async function openRecording(tree: SourceTree, path: string): Promise<Opened | AssayError> {
  try {
    const file = await openHdf5(tree, path);
    const recording = await openByFamily(file).catch(async (thrown: unknown) => {
      await file.close();
      throw thrown;
    });
    if (recording !== null) return { recording, close: () => file.close() };
    await file.close();
    return new AssayError('unreadable_input', `${path} changed after it was opened`, { path });
  } catch (thrown) {
    if (thrown instanceof AssayError) return thrown;
    throw thrown;
  }
}

interface EpisodeSource {
  readonly id: string;
  readonly index: number;
  readonly path: string;
  readonly sources: readonly SourceRef[];
  /** Findings about this file from opening the dataset. */
  readonly findings: readonly Finding[];
}

const openingFindings = ({ selector }: WorkUnit): readonly Finding[] =>
  Array.isArray(selector) ? (selector as Finding[]) : [];

async function readEpisode(
  recording: Hdf5Recording,
  position: number,
  source: EpisodeSource,
  options: EpisodeOptions,
): Promise<Episode | Unreadable> {
  const { id, index, path, sources, findings } = source;
  try {
    const { rows, ...parts } = await recording.read(position, options);
    return {
      id,
      index,
      locator: buildLocator(path, rows),
      sources,
      start_ns: null,
      events: [],
      labels: null,
      clockless: `the ${recording.family} HDF5 layout stores no timestamps`,
      ...parts,
      findings: [...parts.findings, ...findings],
    };
  } catch (thrown) {
    if (thrown instanceof AssayError) return unreadable(id, index, path, thrown);
    throw thrown;
  }
}

function buildLocator(path: string, rows: EpisodeParts['rows']): Episode['locator'] {
  const span = rows === null ? {} : { span: { unit: 'row', from: rows[0], to: rows[1] } as const };
  return { format: 'hdf5', path, ...span };
}

function episodeId(path: string, name: string): string {
  const stem = path.replace(/\.(h5|hdf5|hdf|he5|h5py)$/i, '');
  return name === '' ? stem : `${stem}/${name}`;
}

function unreadable(id: string, index: number, path: string, { message, advice }: AssayError): Unreadable {
  const severity = 'error';
  const finding = {
    code: 'episode_unreadable',
    severity,
    path,
    message,
    advice: advice ?? 'copy the file again',
  } as const;
  return { unreadable: true, id, index, finding };
}

/**
 * Reads one image of an episode by the array and row it was recorded in; empty if it does not exist.
 * @throws AssayError if the file cannot be opened
 */
export async function readEmbeddedPicture(
  tree: SourceTree,
  units: readonly WorkUnit[],
  { locator, episode_index, row }: PictureRequest,
): Promise<readonly SampledPicture[]> {
  const unit = units.find(({ id }) => id === locator.path);
  if (unit === undefined) return [];
  return withFile(tree, unit.id, async (file) => {
    const recording = await openByFamily(file);
    const position = episode_index - unit.first_index;
    if (recording === null || position < 0 || position >= recording.episodes.length) return [];
    const stored = await recording.picture(position, locator.channel, row);
    if (stored === null) return [];
    const picture = { index: row, time_s: 0, bytes: Uint8Array.from(stored.bytes) };
    return [stored.layout === null ? picture : { ...picture, layout: stored.layout }];
  });
}

/**
 * Yields every image of a camera of an episode in order, opening the file once; missing rows are skipped, and without
 * such an episode there are none.
 * @throws AssayError if the file cannot be opened
 */
export async function* streamPictures(
  tree: SourceTree,
  units: readonly WorkUnit[],
  { locator, episode_index, rows }: PictureStreamRequest,
): AsyncGenerator<StreamedPicture, void, undefined> {
  const unit = units.find(({ id }) => id === locator.path);
  if (unit === undefined) return;
  const opened = await openRecording(tree, unit.id);
  if (opened instanceof AssayError) throw opened;
  const { recording, close } = opened;
  try {
    const position = episode_index - unit.first_index;
    if (position < 0 || position >= recording.episodes.length) return;
    for (let row = 0; row < rows; row++) {
      const stored = await recording.picture(position, locator.channel, row);
      if (stored === null) continue;
      const picture = { index: row, time_s: 0, bytes: Uint8Array.from(stored.bytes), key: true };
      yield stored.layout === null ? picture : { ...picture, layout: stored.layout };
    }
  } finally {
    await close();
  }
}

/** Description of a recording as plain data, without access to the open file. */
export type RecordingSummary = Omit<Hdf5Recording, 'read' | 'picture'>;

/** Result of inspecting one file when the dataset is opened. */
export type FileInspection = { readonly path: string; readonly bytes: number } & (
  | { readonly kind: 'recording'; readonly recording: RecordingSummary }
  | { readonly kind: 'unknown'; readonly finding: Finding }
  | { readonly kind: 'unreadable'; readonly error: AssayError }
);

const batchSize = 8;

/**
 * Opens every file, `batchSize` at a time, and returns a summary of its recording, a finding for an unknown layout, or
 * the error; in the order of the files.
 */
export async function inspectFiles(tree: SourceTree): Promise<FileInspection[]> {
  const inspections: FileInspection[] = [];
  for (let from = 0; from < tree.files.length; from += batchSize) {
    const batch = tree.files.slice(from, from + batchSize);
    inspections.push(...(await Promise.all(batch.map(({ path }) => inspectFile(tree, path)))));
  }
  return inspections;
}

async function inspectFile(tree: SourceTree, path: string): Promise<FileInspection> {
  const base = { path, bytes: tree.entry(path)?.bytes ?? 0 };
  try {
    return await withFile(tree, path, async (file) => {
      const recording = await openByFamily(file);
      if (recording === null) return { ...base, kind: 'unknown', finding: await unknownLayoutFinding(file) };
      const { read: _read, picture: _picture, ...seen } = recording;
      return { ...base, kind: 'recording', recording: seen };
    });
  } catch (thrown) {
    if (!(thrown instanceof AssayError)) throw thrown;
    return { ...base, kind: 'unreadable', error: thrown };
  }
}

/** Opens a file with the first layout family that recognises it; `null` if none does. */
async function openByFamily(file: Hdf5File): Promise<Hdf5Recording | null> {
  try {
    for (const family of hdf5Families) {
      const recording = await family.open(file);
      if (recording !== null) return recording;
    }
    return null;
  } catch (thrown) {
    throw thrown instanceof AssayError ? withCause(thrown, file) : thrown;
  }
}

/** Adds the file's own finding (cut off, not closed) to an error as its cause. */
function withCause(error: AssayError, { findings, path }: Hdf5File): AssayError {
  const [cause] = findings;
  if (cause === undefined) return error;
  return new AssayError(error.code, `${cause.message}; ${error.message}`, {
    path,
    advice: cause.advice,
    cause: error,
  });
}

/** Opens a file, passes it to `use`, and closes it in any case. */
async function withFile<T>(tree: SourceTree, path: string, use: (file: Hdf5File) => Promise<T>): Promise<T> {
  const file = await openHdf5(tree, path);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

/** Supported layouts; the first that recognises a file is used. */
const hdf5Families = defineRegistry([robomimicFamily, alohaFamily, d4rlFamily]);

const maxListed = 8;
const walkLimits = { names: 200, depth: 6 };

/** Returns the finding for a file of unknown layout, listing its arrays so that users can report it. */
async function unknownLayoutFinding(file: Hdf5File): Promise<Finding> {
  const listed: string[] = [];
  let more = 0;
  for await (const entry of walkDatasets(file.root, walkLimits)) {
    const text =
      entry.kind === 'dataset'
        ? describeDataset(entry.dataset)
        : entry.kind === 'external'
          ? `${entry.path} (link to ${entry.file}, not followed)`
          : `${entry.path} (${entry.error.message})`;
    if (listed.length < maxListed) listed.push(text);
    else more++;
  }
  const holds =
    listed.length === 0 ? 'no arrays' : `${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return {
    ...{ code: 'hdf5_layout_unknown', severity: 'warning', path: file.path },
    message: `${file.path} is an HDF5 file in an unknown layout; it contains ${holds}`,
    advice:
      'run `assay map init FOLDER` on its folder: it proposes which arrays are state, action, cameras and task, and Assay then reads the files with this mapping',
  };
}

function describeDataset({ path, type, shape }: Hdf5Dataset): string {
  return `${path} (${typeName(type)}${shape.length === 0 ? '' : ` ${shape.join(' x ')}`})`;
}

/** Returns the NumPy name of a data type. */
function typeName(type: Hdf5Dataset['type']): string {
  const bits = type.bytes * 8;
  if (type.kind === 'integer') return `${type.signed ? 'int' : 'uint'}${bits}`;
  return type.kind === 'float' ? `float${bits}` : type.kind;
}
