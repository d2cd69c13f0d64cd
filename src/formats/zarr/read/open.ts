import { AssayError } from '#core';
import type { Episode, Finding, KeptPicture, Stream } from '#core/episode';
import {
  createFileHasher,
  type FileHasher,
  FileWindow,
  hashScope,
  type SourceTree,
  sourceRefs,
} from '#io/sources';
import type {
  Dataset,
  PictureWanted,
  ReadOptions,
  Recognition,
  Unreadable,
  WorkUnit,
} from '../../shared/reader.ts';
import { containerOf, headBytes } from '../../videos/containers.ts';
import { chunkNotes } from './array-reader.ts';
import { type OpenStore, openStore } from './open-store.ts';
import { isUmi, pictureInRow, pictureShape } from './picture-rows.ts';
import { readEpisode } from './read-episode.ts';
import { type ReplaySet, readReplaySet } from './replay-set.ts';

/** Rows that one unit reads, by what their chunks take; also the most episodes of one. */
const unitBytes = 32 * 1024 * 1024;
const unitEpisodes = 256;

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Reads what the buffer says of itself; rows are read unit by unit. */
export async function openZarr(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  const opened = await openStore(tree);
  const set = await readReplaySet(opened.store).catch(async (thrown: unknown) => {
    await opened.store.close();
    throw thrown;
  });
  const umi = isUmi(set.arrays.map(({ name }) => name));
  const videos = videosByEpisode(tree);
  const hasher = createFileHasher(tree);
  return {
    facts: {
      format: 'zarr',
      version: 'v2',
      declared_episodes: set.ends.length,
      declared_frames: set.ends.at(-1) ?? 0,
      declared_rate_hz: null,
      robot: null,
      declared_cameras: set.arrays.flatMap(({ name, reader }) =>
        pictureShape(reader.meta, name) === null ? [] : [name],
      ),
    },
    recognition,
    findings: [...opened.findings, ...set.findings, ...conventionFindings(set, umi)],
    units: unitsOf(set),
    read: (unit, options) => readUnit({ tree, set, videos, hasher, opened }, spanOf(unit), unit, options),
    picturesAt: (wanted) => picturesAt(set, wanted),
    close: () => opened.store.close(),
  };
}

function unitsOf(set: ReplaySet): WorkUnit[] {
  const stored = set.arrays.reduce((sum, { stored_bytes }) => sum + stored_bytes, 0);
  const perRow = stored / Math.max(1, set.rows);
  const units: WorkUnit[] = [];
  for (let from = 0; from < set.ends.length; ) {
    const first = from === 0 ? 0 : set.ends[from - 1];
    let to = from + 1;
    while (to < set.ends.length && to - from < unitEpisodes && (set.ends[to] - first) * perRow <= unitBytes)
      to++;
    units.push({
      id: `episodes ${from}`,
      expected_episodes: to - from,
      first_index: from,
      bytes: Math.max(0, Math.round((Math.min(set.ends[to - 1], set.rows) - first) * perRow)),
      selector: { from, to } satisfies Span,
    });
    from = to;
  }
  return units;
}

function spanOf({ id, selector }: WorkUnit): Span {
  if (typeof selector === 'object' && selector !== null && 'from' in selector && 'to' in selector)
    return selector as Span;
  throw new AssayError('internal', `${id} is no unit of a replay buffer`);
}

interface Reading {
  readonly tree: SourceTree;
  readonly set: ReplaySet;
  readonly videos: ReadonlyMap<number, readonly string[]>;
  readonly hasher: FileHasher;
  readonly opened: OpenStore;
}

async function* readUnit(
  { tree, set, videos, hasher, opened }: Reading,
  { from, to }: Span,
  unit: WorkUnit,
  options: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  // The hash of a zip is wanted by every unit, those of chunks in a folder by one only.
  const own = opened.zip === null ? createFileHasher(tree) : hasher;
  for (let index = from; index < to; index++) {
    options.signal?.throwIfAborted();
    const read = await readEpisode(set, index);
    options.onBytes?.(Math.round((unit.bytes * (index + 1 - from)) / (to - from)));
    if ('unreadable' in read) {
      yield read;
      continue;
    }
    const paths = videos.get(index) ?? [];
    const cameras = [];
    for (const path of paths) cameras.push(await videoCamera(tree, path));
    const files = [...read.files, ...paths.map((path) => ({ path, role: 'video' as const }))];
    const sources = await sourceRefs(tree, files, own, hashScope(options));
    yield { ...read.episode, sources, streams: [...read.episode.streams, ...cameras] };
  }
}

async function picturesAt(
  set: ReplaySet,
  { locator, episode_index, row }: PictureWanted,
): Promise<readonly KeptPicture[]> {
  const array = set.arrays.find(({ name }) => name === locator.channel);
  const first = episode_index === 0 ? 0 : set.ends[episode_index - 1];
  const shape = array === undefined ? null : pictureShape(array.reader.meta, array.name);
  if (array === undefined || shape === null || !(first + row < array.reader.rows) || row < 0) return [];
  const found = await pictureInRow(array.reader, shape, first + row, chunkNotes());
  return found === null ? [] : [{ index: row, time_s: 0, ...found }];
}

function conventionFindings({ arrays }: ReplaySet, umi: boolean): Finding[] {
  const findings: Finding[] = [];
  const has = (name: string) => arrays.some((array) => array.name === name);
  if (umi) {
    findings.push({
      ...{ code: 'rate_known_format', severity: 'info', path: null },
      message: 'UMI keeps no times: its rows are frames of a GoPro, 59.94 a second by how they are made',
      advice:
        'nothing to do; spans where tracking was lost were cut away before, which the set does not show',
      evidence: { rate_hz: 59.94, evidence: 'known_format' },
    });
    if (!has('action'))
      findings.push({
        ...{ code: 'action_derived', severity: 'info', path: null },
        message: 'a UMI set has no actions: the trainer derives them from the poses and widths that follow',
        advice: 'nothing to do; what depends on recorded commands is not judged',
      });
  } else if (!has('timestamp'))
    findings.push({
      ...{ code: 'rate_unknown', severity: 'info', path: null },
      message: 'the set has no array timestamp and says no rate: nothing in seconds is judged',
      advice: 'say the rate of control when training; speeds depend on it',
    });
  return findings;
}

const video = /^videos\/(\d{1,9})\/([^/]+)\.(mp4|mkv|mov|avi|webm)$/i;

/** Video files by episode, as the recorder of diffusion_policy names them: `videos/<episode>/<camera>.mp4`. */
function videosByEpisode(tree: SourceTree): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, string[]>();
  for (const { path } of tree.below('videos').files) {
    const parts = video.exec(`videos/${path}`);
    if (parts === null) continue;
    const episode = Number(parts[1]);
    const own = found.get(episode);
    if (own === undefined) found.set(episode, [`videos/${path}`]);
    else own.push(`videos/${path}`);
  }
  return found;
}

/** A camera of its own rate, its times those of the container; the recorder starts it with the episode. */
async function videoCamera(tree: SourceTree, path: string): Promise<Stream> {
  const shown = await frameTimes(tree, path);
  const from_s = shown?.[0] ?? 0;
  const time_s = shown?.map((time) => time - from_s) ?? null;
  const name = path.slice(path.lastIndexOf('/') + 1, path.lastIndexOf('.'));
  const locator = { type: 'video', path, from_s, to_s: null, expected_frames: null } as const;
  return {
    id: `videos/${name}`,
    role: 'camera',
    modality: 'video',
    shape: [],
    names: null,
    unit: { unit: 'unknown', evidence: 'unknown', reason: 'not a quantity' },
    declared_rate_hz: null,
    sample_count: time_s?.length ?? 0,
    clocks: time_s === null ? [] : [{ name: 'pts', provenance: 'synthesised', time_s }],
    clock: time_s === null ? null : { index: 0, reason: 'the times that the video shows its frames at' },
    frames: { locator, declared_size_px: null, declared_codec: null },
  };
}

/** Null where the container does not tell; decoding will say why. */
async function frameTimes(tree: SourceTree, path: string): Promise<Float64Array | null> {
  try {
    const container = containerOf(await tree.head(path, headBytes));
    if (container === null) return null;
    await using file = await tree.openFile(path);
    return (await container.times(new FileWindow(file, tree.entry(path)?.bytes ?? 0))).time_s;
  } catch {
    return null;
  }
}
