import { type Hdf5Dataset, type Hdf5File, walkDatasets } from '@assay/hdf5';
import { AssayError, defineRegistry } from '#core';
import type { Episode, Finding, KeptPicture, SourceRef } from '#core/episode';
import { createFileHasher, hashScope, type SourceTree, sourceRefs } from '#io/sources';
import { openHdf5 } from '../../shared/hdf5-file.ts';
import type {
  PicturesWanted,
  PictureWanted,
  ReadOptions,
  StreamedPicture,
  Unreadable,
  WorkUnit,
} from '../../shared/reader.ts';
import { ArrayRooms } from '../../shared/step-arrays/array-rooms.ts';
import { alohaFamily } from './aloha/aloha.ts';
import { d4rlFamily } from './d4rl.ts';
import type { EpisodeOptions, EpisodeParts, Hdf5Recording } from './family.ts';
import { robomimicFamily } from './robomimic/robomimic.ts';

/** Reads the episodes of one file; what keeps it from being opened makes one unreadable episode of it. */
export async function* readUnit(
  tree: SourceTree,
  unit: WorkUnit,
  options: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  const path = unit.id;
  const opened = await openRecording(tree, path);
  if (opened instanceof AssayError) {
    yield unreadable(idOf(path, ''), unit.first_index, path, opened);
    return;
  }
  const { recording, close } = opened;
  try {
    const files = [{ path, role: 'data' }] as const;
    const sources = await sourceRefs(tree, files, createFileHasher(tree), hashScope(options));
    const pictures = options.look !== true;
    let rooms = options.reuse_arrays === true ? new ArrayRooms() : null;
    for (const [position, name] of recording.episodes.entries()) {
      options.signal?.throwIfAborted();
      const index = unit.first_index + position;
      const place = { id: idOf(path, name), index, path, sources, findings: foundBefore(unit) };
      const item = await readEpisode(recording, position, place, { pictures, rooms });
      rooms?.turn();
      // It and those behind it wait for its pictures: nothing is written over them.
      if (!('unreadable' in item) && item.streams.some(({ frames }) => frames !== undefined)) rooms = null;
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
    const recording = await recordingOf(file).catch(async (thrown: unknown) => {
      await file.close();
      throw thrown;
    });
    if (recording !== null) return { recording, close: () => file.close() };
    await file.close();
    return new AssayError('unreadable_input', `${path} changed since it was looked at`, { path });
  } catch (thrown) {
    if (thrown instanceof AssayError) return thrown;
    throw thrown;
  }
}

interface Place {
  readonly id: string;
  readonly index: number;
  readonly path: string;
  readonly sources: readonly SourceRef[];
  /** What was found on opening. */
  readonly findings: readonly Finding[];
}

const foundBefore = ({ selector }: WorkUnit): readonly Finding[] =>
  Array.isArray(selector) ? (selector as Finding[]) : [];

async function readEpisode(
  recording: Hdf5Recording,
  position: number,
  place: Place,
  options: EpisodeOptions,
): Promise<Episode | Unreadable> {
  const { id, index, path, sources, findings } = place;
  try {
    const { rows, ...parts } = await recording.read(position, options);
    return {
      id,
      index,
      locator: locatorOf(path, rows),
      sources,
      start_ns: null,
      events: [],
      labels: null,
      clockless: `HDF5 files as ${recording.family} lays them out keep no times`,
      ...parts,
      findings: [...parts.findings, ...findings],
    };
  } catch (thrown) {
    if (thrown instanceof AssayError) return unreadable(id, index, path, thrown);
    throw thrown;
  }
}

function locatorOf(path: string, rows: EpisodeParts['rows']): Episode['locator'] {
  const span = rows === null ? {} : { span: { unit: 'row', from: rows[0], to: rows[1] } as const };
  return { format: 'hdf5', path, ...span };
}

function idOf(path: string, name: string): string {
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

/** One picture of an episode, found again by the array and the row it was read from. */
export async function pictureIn(
  tree: SourceTree,
  units: readonly WorkUnit[],
  { locator, episode_index, row }: PictureWanted,
): Promise<readonly KeptPicture[]> {
  const unit = units.find(({ id }) => id === locator.path);
  if (unit === undefined) return [];
  return withFile(tree, unit.id, async (file) => {
    const recording = await recordingOf(file);
    const position = episode_index - unit.first_index;
    if (recording === null || position < 0 || position >= recording.episodes.length) return [];
    const found = await recording.picture(position, locator.channel, row);
    if (found === null) return [];
    const picture = { index: row, time_s: 0, bytes: Uint8Array.from(found.bytes) };
    return [found.layout === null ? picture : { ...picture, layout: found.layout }];
  });
}

/** Every picture of a camera of an episode, the file opened once. */
export async function* picturesIn(
  tree: SourceTree,
  units: readonly WorkUnit[],
  { locator, episode_index, rows }: PicturesWanted,
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
      const found = await recording.picture(position, locator.channel, row);
      if (found === null) continue;
      const picture = { index: row, time_s: 0, bytes: Uint8Array.from(found.bytes), key: true };
      yield found.layout === null ? picture : { ...picture, layout: found.layout };
    }
  } finally {
    await close();
  }
}

/** What a recording says of itself: plain data, which keeps nothing of the file in memory. */
export type SeenRecording = Omit<Hdf5Recording, 'read' | 'picture'>;

/** What was seen of one file before any episode is read. */
export type FileLook = { readonly path: string; readonly bytes: number } & (
  | { readonly kind: 'recording'; readonly recording: SeenRecording }
  | { readonly kind: 'unknown'; readonly finding: Finding }
  | { readonly kind: 'unreadable'; readonly error: AssayError }
);

const atOnce = 8;

/** Looks into every file, a few at a time, in the order of the list. */
export async function lookAtFiles(tree: SourceTree): Promise<FileLook[]> {
  const looks: FileLook[] = [];
  for (let from = 0; from < tree.files.length; from += atOnce) {
    const batch = tree.files.slice(from, from + atOnce);
    looks.push(...(await Promise.all(batch.map(({ path }) => look(tree, path)))));
  }
  return looks;
}

async function look(tree: SourceTree, path: string): Promise<FileLook> {
  const base = { path, bytes: tree.entry(path)?.bytes ?? 0 };
  try {
    return await withFile(tree, path, async (file) => {
      const recording = await recordingOf(file);
      if (recording === null) return { ...base, kind: 'unknown', finding: await unknownLayout(file) };
      const { read: _read, picture: _picture, ...seen } = recording;
      return { ...base, kind: 'recording', recording: seen };
    });
  } catch (thrown) {
    if (!(thrown instanceof AssayError)) throw thrown;
    return { ...base, kind: 'unreadable', error: thrown };
  }
}

/** The family that knows a file, and what it sees in it; null: none. */
async function recordingOf(file: Hdf5File): Promise<Hdf5Recording | null> {
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

/** Of a file that was cut off or not closed, that is the reason for whatever is missing. */
function withCause(error: AssayError, { findings, path }: Hdf5File): AssayError {
  const [cause] = findings;
  if (cause === undefined) return error;
  return new AssayError(error.code, `${cause.message}; ${error.message}`, {
    path,
    advice: cause.advice,
    cause: error,
  });
}

/** Works with a file, and closes it however that ends. */
async function withFile<T>(tree: SourceTree, path: string, use: (file: Hdf5File) => Promise<T>): Promise<T> {
  const file = await openHdf5(tree, path);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

/** Every layout that is told apart; the first that knows a file takes it. */
const hdf5Families = defineRegistry([robomimicFamily, alohaFamily, d4rlFamily]);

const named = 8;
const bounds = { names: 200, depth: 6 };

/** What to say of a file that no family knows: what was seen in it, so that somebody can tell us what it means. */
async function unknownLayout(file: Hdf5File): Promise<Finding> {
  const seen: string[] = [];
  let more = 0;
  for await (const met of walkDatasets(file.root, bounds)) {
    const text =
      met.kind === 'dataset'
        ? described(met.dataset)
        : met.kind === 'external'
          ? `${met.path} (a link into ${met.file}, not followed)`
          : `${met.path} (${met.error.message})`;
    if (seen.length < named) seen.push(text);
    else more++;
  }
  const holds = seen.length === 0 ? 'no array' : `${seen.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return {
    ...{ code: 'hdf5_layout_unknown', severity: 'warning', path: file.path },
    message: `${file.path} is HDF5 in a layout that is not known; it holds ${holds}`,
    advice:
      'save its signals as CSV or Parquet and describe them in a mapping file, or ask for a reader of this layout',
  };
}

function described({ path, type, shape }: Hdf5Dataset): string {
  return `${path} (${typeName(type)}${shape.length === 0 ? '' : ` ${shape.join(' x ')}`})`;
}

/** As NumPy calls it. */
function typeName(type: Hdf5Dataset['type']): string {
  const bits = type.bytes * 8;
  if (type.kind === 'integer') return `${type.signed ? 'int' : 'uint'}${bits}`;
  return type.kind === 'float' ? `float${bits}` : type.kind;
}
