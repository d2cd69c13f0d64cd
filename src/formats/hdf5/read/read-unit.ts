import { AssayError } from '#core';
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
import type { EpisodeOptions, EpisodeParts, Hdf5Recording } from './family.ts';
import { recordingOf, withFile } from './look.ts';

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
