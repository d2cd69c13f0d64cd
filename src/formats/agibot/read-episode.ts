import type { Hdf5File } from '@assay/hdf5';
import { AssayError, messageOf } from '#core';
import { type Calibration, type Episode, type Finding, type Stream, unknownOutcome } from '#core/episode';
import { type FileHasher, type HashScope, type SourceTree, sourceRefs, type UsedFile } from '#io/sources';
import { type FileArrays, listArrays, StepArrayReader } from '../shared/arrays/step-arrays.ts';
import { openHdf5 } from '../shared/hdf5-file.ts';
import type { Unreadable } from '../shared/reader.ts';
import {
  assignCommandClock,
  clockOfEveryFrame,
  type FrameClock,
  frameRate,
  readFrameClock,
  readSentFrames,
  sentFindings,
} from './clocks.ts';
import type { AgibotEpisode, DepthPicture } from './layout.ts';
import { checkHandUnit, gripperConventions, signalFacts } from './signals.ts';
import { subStepEvents, type TaskInfo, taskTexts } from './task-info.ts';

/** Inputs to `readEpisode` that episodes share or that depend on their position in the dataset. */
export interface EpisodeContext {
  readonly index: number;
  readonly hasher: FileHasher;
  readonly hashes: HashScope;
  readonly info: TaskInfo;
  /** Names of all cameras that any episode of the task has. */
  readonly cameras: ReadonlySet<string>;
}

/** Returns the episode id, `<task>/<episode>`: `327/648642`. */
export function episodeId({ task, episode }: AgibotEpisode): string {
  return `${task}/${episode}`;
}

/** Reads one episode, or returns an `Unreadable` if proprio_stats.h5 is missing or cannot be read. */
export async function readEpisode(
  tree: SourceTree,
  recording: AgibotEpisode,
  context: EpisodeContext,
): Promise<Episode | Unreadable> {
  const unreadable = (message: string): Unreadable => ({
    ...{ unreadable: true, id: episodeId(recording), index: context.index },
    finding: {
      ...{
        code: 'episode_incomplete',
        severity: 'error',
        path: recording.proprio ?? `observations/${episodeId(recording)}`,
      },
      message,
      advice: 'unpack or copy proprio_stats of this task again, or exclude the episode',
    },
  });
  if (recording.proprio === null)
    return unreadable(`proprio_stats/${episodeId(recording)} has no proprio_stats.h5`);
  let file: Hdf5File | null = null;
  try {
    file = await openHdf5(tree, recording.proprio);
    return await readProprio(tree, recording, file, context);
  } catch (thrown) {
    if (!(thrown instanceof AssayError)) throw thrown;
    return unreadable(`cannot read ${recording.proprio}: ${messageOf(thrown)}`);
  } finally {
    await file?.close();
  }
}

async function readProprio(
  tree: SourceTree,
  recording: AgibotEpisode,
  file: Hdf5File,
  { index, hasher, hashes, info, cameras }: EpisodeContext,
): Promise<Episode> {
  const findings: Finding[] = [...file.findings, ...info.findings];
  const contents = await listArrays(file.root, file.path);
  const reading = new StepArrayReader(file.path, null, null);
  const frames = await readFrameClock(contents, file.path, countFrames(contents), (error) =>
    reading.addUnreadable('timestamp', error),
  );
  for (const [id, error] of contents.unread) reading.addUnreadable(id, error);
  const total = frames.clock.time_s.length;
  const { sent, findings: wrongIndex } = await readSentFrames(contents, reading, frames);
  const signals = await signalStreams(contents, reading, frames, sent);
  const streams = [...signals.streams, ...pictureStreams(recording, cameras, frames)];
  const episodeInfo = info.episodes.get(recording.episode);
  const subSteps = subStepEvents(episodeInfo, info.path, frames.clock.time_s);
  const calibrations = await readCalibrations(tree, recording, findings);
  return {
    id: episodeId(recording),
    index,
    locator: { format: 'agibot', path: file.path },
    sources: await sourceRefs(tree, filesUsed(tree, recording, info), hasher, hashes),
    start_ns: frames.start_ns,
    duration_s: computeDuration(frames),
    streams,
    events: subSteps.events,
    tasks: taskTexts(episodeInfo, info.path),
    outcome: unknownOutcome,
    robot: 'AgiBot A2D',
    calibrations,
    grippers: gripperConventions(signals.streams),
    labels: null,
    findings: [
      ...findings,
      ...reading.findings,
      ...wrongIndex,
      ...signals.findings,
      ...sentFindings(sent, signals.streams, total, file.path),
      ...subSteps.findings,
    ],
  };
}

/**
 * Reads state and action arrays as streams. Empty arrays stand for hardware that the robot does not have and are
 * skipped.
 */
async function signalStreams(
  { arrays }: FileArrays,
  reading: StepArrayReader,
  frames: FrameClock,
  sent: Parameters<typeof assignCommandClock>[2],
): Promise<{ streams: Stream[]; findings: Finding[] }> {
  const streams: Stream[] = [];
  const findings: Finding[] = [];
  const uneven: [string, number][] = [];
  for (const [id, dataset] of arrays) {
    if (!/^(state|action)\//.test(id) || dataset.rows === 0 || id.endsWith('/index')) continue;
    const facts = signalFacts(id, dataset.rowElements);
    const stream = checkHandUnit(await reading.readStream({ id, dataset, ...facts }));
    if (id.startsWith('action/')) {
      const timedStream = assignCommandClock(stream, frames, sent, reading.path);
      streams.push(timedStream.stream);
      if (timedStream.finding !== null) findings.push(timedStream.finding);
      continue;
    }
    streams.push({ ...stream, ...clockOfEveryFrame(frames, stream.sample_count) });
    if (stream.sample_count !== frames.clock.time_s.length) uneven.push([id, stream.sample_count]);
  }
  return { streams, findings: [...findings, ...unevenFindings(uneven, frames, reading.path)] };
}

function unevenFindings(uneven: readonly [string, number][], { clock }: FrameClock, path: string): Finding[] {
  if (uneven.length === 0) return [];
  const listed = uneven.slice(0, 4).map(([id, rows]) => `${id} ${rows}`);
  return [
    {
      ...{ code: 'array_length_mismatch', severity: 'error', path },
      message: `expected ${clock.time_s.length} rows, one per frame; found: ${listed.join(', ')}${uneven.length > 4 ? ', …' : ''}`,
      advice: 'exclude the episode: the file does not show which rows are missing',
      evidence: { frames: clock.time_s.length, arrays: Object.fromEntries(uneven.slice(0, 20)) },
    },
  ];
}

/**
 * Returns the number of frames by the rows of the joint (or end effector) positions, else by the longest state array.
 * Used only if there are no timestamps.
 */
function countFrames({ arrays }: FileArrays): number {
  const counted = arrays.get('state/joint/position') ?? arrays.get('state/end/position');
  return (
    counted?.rows ??
    Math.max(0, ...[...arrays].flatMap(([id, { rows }]) => (id.startsWith('state/') ? [rows] : [])))
  );
}

function computeDuration({ clock: { time_s } }: FrameClock): number {
  const last_s = time_s.at(-1) ?? 0;
  return time_s.length === 0 || !(last_s >= 0) ? 0 : last_s + 1 / frameRate.hz;
}

function filesUsed(
  tree: SourceTree,
  { proprio, videos, tactile, depth, parameters }: AgibotEpisode,
  info: TaskInfo,
): UsedFile[] {
  const metadata = [...parameters, ...(tree.has(info.path) ? [info.path] : [])];
  return [
    ...(proprio === null ? [] : [{ path: proprio, role: 'data' as const }]),
    ...metadata.map((path) => ({ path, role: 'metadata' as const })),
    ...[...videos.values(), ...tactile.values()].map((path) => ({ path, role: 'video' as const })),
    ...[...depth.values()].flat().map(({ path }) => ({ path, role: 'image' as const })),
  ];
}

/**
 * Returns the streams of videos, tactile sensors and depth images. Cameras that other episodes of the task have and
 * this one lacks become streams with a `missing` locator.
 */
function pictureStreams(
  recording: AgibotEpisode,
  expected: ReadonlySet<string>,
  frames: FrameClock,
): Stream[] {
  const names = [...new Set([...recording.videos.keys(), ...expected])].sort();
  const missing = (name: string) =>
    `observations/${recording.task}/${recording.episode}/videos/${name}_color.mp4`;
  return [
    ...names.map((name) =>
      videoStream(`camera/${name}`, 'camera', recording.videos.get(name) ?? null, missing(name), frames),
    ),
    ...[...recording.tactile].map(([name, path]) =>
      videoStream(`tactile/${name}`, 'tactile', path, path, frames),
    ),
    ...[...recording.depth].map(([name, pictures]) => depthStream(`depth/${name}`, pictures, frames)),
  ];
}

function videoStream(
  id: string,
  role: 'camera' | 'tactile',
  path: string | null,
  missing: string,
  frames: FrameClock,
): Stream {
  const samples = frames.clock.time_s.length;
  return {
    ...{ id, role, modality: 'video', shape: [], names: null, sample_count: samples },
    unit: { unit: 'px', evidence: 'known_format', reason: 'video with one frame per state' },
    ...clockOfEveryFrame(frames, samples),
    frames: {
      locator:
        path === null
          ? { type: 'missing', path: missing, reason: 'other episodes of this task have this camera' }
          : { type: 'video', path, from_s: 0, to_s: null, expected_frames: samples },
      declared_size_px: null,
      declared_codec: null,
    },
  };
}

function depthStream(id: string, pictures: readonly DepthPicture[], frames: FrameClock): Stream {
  return {
    ...{ id, role: 'depth', modality: 'image', shape: [], names: null, sample_count: pictures.length },
    unit: { unit: 'mm', evidence: 'known_format', reason: 'AgiBot World: depth in mm' },
    ...clockOfEveryFrame(frames, pictures.length),
    frames: {
      locator: { type: 'image-files', paths: pictures.map(({ path }) => path) },
      declared_size_px: null,
      declared_codec: null,
    },
  };
}

const maxCalibrationBytes = 16 * 1024 * 1024;
const maxNumbers = 64;

/**
 * Reads intrinsics and extrinsics files unchanged; of files with one pose per frame only the first is taken. Unreadable
 * files add a finding to `findings`.
 */
async function readCalibrations(
  tree: SourceTree,
  { parameters }: AgibotEpisode,
  findings: Finding[],
): Promise<Calibration[]> {
  const calibrations: Calibration[] = [];
  for (const path of parameters) {
    const json = await tree
      .text(path, maxCalibrationBytes)
      .then((text): unknown => JSON.parse(text))
      .catch(() => null);
    const isPerFrame = Array.isArray(json);
    const values: Record<string, readonly number[]> = {};
    collectNumbers(isPerFrame ? (json as unknown[])[0] : json, '', values, 0);
    if (Object.keys(values).length === 0) {
      findings.push({
        ...{ code: 'calibration_unreadable', severity: 'warning', path },
        message: `${path} contains no valid numbers`,
        advice: 'copy the file again; the episode is read without it',
      });
      continue;
    }
    const name = path.slice(path.lastIndexOf('/') + 1).replace(/_(in|ex)trinsic.*$/, '');
    const model = isPerFrame ? `first of ${(json as unknown[]).length} frames` : null;
    calibrations.push({ target: `camera/${name}`, model, source: path, values });
  }
  return calibrations;
}

/**
 * Collects the numbers and small numeric arrays of a JSON value into `into`, keyed by their `/`-separated path. At most
 * 4 levels deep and `maxNumbers` entries.
 */
function collectNumbers(
  json: unknown,
  at: string,
  into: Record<string, readonly number[]>,
  depth: number,
): void {
  if (depth > 4 || Object.keys(into).length >= maxNumbers) return;
  if (typeof json === 'number') into[at] = [json];
  else if (Array.isArray(json)) {
    const flat: unknown[] = json.flat(2);
    const isSmall = flat.length > 0 && flat.length <= maxNumbers;
    if (isSmall && flat.every((element) => typeof element === 'number')) into[at] = flat as number[];
  } else if (typeof json === 'object' && json !== null) {
    for (const [key, value] of Object.entries(json))
      collectNumbers(value, at === '' ? key : `${at}/${key}`, into, depth + 1);
  }
}
