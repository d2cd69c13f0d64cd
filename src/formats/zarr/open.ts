import { AssayError } from '#core';
import type { Episode, Finding, SampledPicture, Stream } from '#core/episode';
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
  PictureRequest,
  ReadOptions,
  Recognition,
  Unreadable,
  WorkUnit,
} from '../shared/reader.ts';
import { detectContainer, headBytes } from '../videos/containers.ts';
import { newChunkStats } from './array-reader.ts';
import { isUmi, pictureShape, readPictureRow } from './picture-rows.ts';
import { readEpisode } from './read-episode.ts';
import { type ReplaySet, readReplaySet } from './replay-set.ts';
import { type OpenStore, openStore } from './store.ts';

/** Maximum bytes of chunks and episodes per work unit. */
const maxUnitBytes = 32 * 1024 * 1024;
const maxUnitEpisodes = 256;

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Opens a zarr replay buffer as a dataset; rows are read unit by unit. */
export async function openZarr(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  const opened = await openStore(tree);
  const set = await readReplaySet(opened.store).catch(async (thrown: unknown) => {
    await opened.store.close();
    throw thrown;
  });
  const isUmiSet = isUmi(set.arrays.map(({ name }) => name));
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
    findings: [...opened.findings, ...set.findings, ...conventionFindings(set, isUmiSet)],
    units: buildUnits(set),
    read: (unit, options) => readUnit({ tree, set, videos, hasher, opened }, unitSpan(unit), unit, options),
    picturesAt: (request) => readPicture(set, request),
    close: () => opened.store.close(),
  };
}

function buildUnits(set: ReplaySet): WorkUnit[] {
  const stored = set.arrays.reduce((sum, { stored_bytes }) => sum + stored_bytes, 0);
  const perRow = stored / Math.max(1, set.rows);
  const units: WorkUnit[] = [];
  for (let from = 0; from < set.ends.length; ) {
    const first = from === 0 ? 0 : set.ends[from - 1];
    let to = from + 1;
    while (
      to < set.ends.length &&
      to - from < maxUnitEpisodes &&
      (set.ends[to] - first) * perRow <= maxUnitBytes
    )
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

function unitSpan({ id, selector }: WorkUnit): Span {
  if (typeof selector === 'object' && selector !== null && 'from' in selector && 'to' in selector)
    return selector as Span;
  throw new AssayError('internal', `${id} is not a unit of a replay buffer`);
}

interface ReadContext {
  readonly tree: SourceTree;
  readonly set: ReplaySet;
  readonly videos: ReadonlyMap<number, readonly string[]>;
  readonly hasher: FileHasher;
  readonly opened: OpenStore;
}

async function* readUnit(
  { tree, set, videos, hasher, opened }: ReadContext,
  { from, to }: Span,
  unit: WorkUnit,
  options: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  // Every unit needs the hash of a zip, but only one that of a chunk in a folder.
  const unitHasher = opened.zip === null ? createFileHasher(tree) : hasher;
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
    const sources = await sourceRefs(tree, files, unitHasher, hashScope(options));
    yield { ...read.episode, sources, streams: [...read.episode.streams, ...cameras] };
  }
}

async function readPicture(
  set: ReplaySet,
  { locator, episode_index, row }: PictureRequest,
): Promise<readonly SampledPicture[]> {
  const array = set.arrays.find(({ name }) => name === locator.channel);
  const first = episode_index === 0 ? 0 : set.ends[episode_index - 1];
  const shape = array === undefined ? null : pictureShape(array.reader.meta, array.name);
  if (array === undefined || shape === null || !(first + row < array.reader.rows) || row < 0) return [];
  const found = await readPictureRow(array.reader, shape, first + row, newChunkStats());
  return found === null ? [] : [{ index: row, time_s: 0, ...found }];
}

function conventionFindings({ arrays }: ReplaySet, isUmiSet: boolean): Finding[] {
  const findings: Finding[] = [];
  const has = (name: string) => arrays.some((array) => array.name === name);
  if (isUmiSet) {
    findings.push({
      ...{ code: 'rate_known_format', severity: 'info', path: null },
      message: 'UMI stores no timestamps: its rows are GoPro frames at 59.94 Hz',
      advice:
        'nothing to do; parts where tracking was lost were removed earlier, and the dataset does not show where',
      evidence: { rate_hz: 59.94, evidence: 'known_format' },
    });
    if (!has('action'))
      findings.push({
        ...{ code: 'action_derived', severity: 'info', path: null },
        message: 'a UMI dataset has no actions: the trainer derives them from later poses and gripper widths',
        advice: 'nothing to do; checks that need recorded commands are skipped',
      });
  } else if (!has('timestamp'))
    findings.push({
      ...{ code: 'rate_unknown', severity: 'info', path: null },
      message:
        'the dataset has no array timestamp and declares no rate: checks that need seconds are skipped',
      advice: 'use the control rate of the recording when training; speeds depend on it',
    });
  return findings;
}

const episodeVideo = /^videos\/(\d{1,9})\/([^/]+)\.(mp4|mkv|mov|avi|webm)$/i;

/** Returns the video files by episode, as diffusion_policy's recorder names them: `videos/<episode>/<camera>.mp4`. */
function videosByEpisode(tree: SourceTree): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, string[]>();
  for (const { path } of tree.subtree('videos').files) {
    const parts = episodeVideo.exec(`videos/${path}`);
    if (parts === null) continue;
    const episode = Number(parts[1]);
    const paths = found.get(episode);
    if (paths === undefined) found.set(episode, [`videos/${path}`]);
    else paths.push(`videos/${path}`);
  }
  return found;
}

/** Returns the stream of a video camera with the times of its container; the recorder starts it with the episode. */
async function videoCamera(tree: SourceTree, path: string): Promise<Stream> {
  const presentation_s = await frameTimes(tree, path);
  const from_s = presentation_s?.[0] ?? 0;
  const time_s = presentation_s?.map((time) => time - from_s) ?? null;
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
    clock: time_s === null ? null : { index: 0, reason: 'frame timestamps of the video' },
    frames: { locator, declared_size_px: null, declared_codec: null },
  };
}

/** Reads the frame times of a video; `null` if the container has none. Decoding reports the reason. */
async function frameTimes(tree: SourceTree, path: string): Promise<Float64Array | null> {
  try {
    const container = detectContainer(await tree.head(path, headBytes));
    if (container === null) return null;
    await using file = await tree.openFile(path);
    return (await container.readTimes(new FileWindow(file, tree.entry(path)?.bytes ?? 0))).time_s;
  } catch {
    return null;
  }
}
