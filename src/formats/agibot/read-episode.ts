import type { Hdf5File } from '@assay/hdf5';
import { AssayError, messageOf } from '#core';
import { type Calibration, type Episode, type Finding, type Stream, unknownOutcome } from '#core/episode';
import { type FileHasher, type HashScope, type SourceTree, sourceRefs, type UsedFile } from '#io/sources';
import { openHdf5 } from '../shared/hdf5-file.ts';
import type { Unreadable } from '../shared/reader.ts';
import { arraysBelow, type FileArrays } from '../shared/step-arrays/file-arrays.ts';
import { StepReading } from '../shared/step-arrays/numeric-stream.ts';
import { sentFinding, sentFrames, timed } from './commands.ts';
import { everyFrame, type FrameClock, frameClock, frameRate } from './frame-clock.ts';
import type { AgibotEpisode, DepthPicture } from './layout.ts';
import { checkedUnit, grippersOf, signalFacts } from './signals.ts';
import { subStepEvents, type TaskInfo, tasksOf } from './task-info.ts';

export interface EpisodeContext {
  readonly index: number;
  readonly hasher: FileHasher;
  readonly hashes: HashScope;
  readonly info: TaskInfo;
  /** Cameras that episodes of the task have. */
  readonly cameras: ReadonlySet<string>;
}

/** `327/648642`: task and episode. */
export function idOf({ task, episode }: AgibotEpisode): string {
  return `${task}/${episode}`;
}

/** Reads one episode; without proprio_stats there is none. */
export async function readEpisode(
  tree: SourceTree,
  own: AgibotEpisode,
  context: EpisodeContext,
): Promise<Episode | Unreadable> {
  const unreadable = (message: string): Unreadable => ({
    ...{ unreadable: true, id: idOf(own), index: context.index },
    finding: {
      ...{ code: 'episode_incomplete', severity: 'error', path: own.proprio ?? `observations/${idOf(own)}` },
      message,
      advice: 'unpack or copy proprio_stats of this task again, or leave the episode out',
    },
  });
  if (own.proprio === null) return unreadable(`proprio_stats/${idOf(own)} holds no proprio_stats.h5`);
  let file: Hdf5File | null = null;
  try {
    file = await openHdf5(tree, own.proprio);
    return await readProprio(tree, own, file, context);
  } catch (thrown) {
    if (!(thrown instanceof AssayError)) throw thrown;
    return unreadable(`${own.proprio} could not be read: ${messageOf(thrown)}`);
  } finally {
    await file?.close();
  }
}

async function readProprio(
  tree: SourceTree,
  own: AgibotEpisode,
  file: Hdf5File,
  { index, hasher, hashes, info, cameras }: EpisodeContext,
): Promise<Episode> {
  const findings: Finding[] = [...file.findings, ...info.findings];
  const contents = await arraysBelow(file.root, file.path);
  const reading = new StepReading(file.path, null, null);
  const frames = await frameClock(contents, file.path, framesOf(contents), (error) =>
    reading.unread('timestamp', error),
  );
  for (const [id, error] of contents.unread) reading.unread(id, error);
  const total = frames.clock.time_s.length;
  const { sent, findings: wrongIndex } = await sentFrames(contents, reading, frames);
  const signals = await signalStreams(contents, reading, frames, sent);
  const streams = [...signals.streams, ...pictureStreams(own, cameras, frames)];
  const said = info.episodes.get(own.episode);
  const subSteps = subStepEvents(said, info.path, frames.clock.time_s);
  const calibrations = await calibrationsOf(tree, own, findings);
  return {
    id: idOf(own),
    index,
    locator: { format: 'agibot', path: file.path },
    sources: await sourceRefs(tree, filesUsed(tree, own, info), hasher, hashes),
    start_ns: frames.start_ns,
    duration_s: durationOf(frames),
    streams,
    events: subSteps.events,
    tasks: tasksOf(said, info.path),
    outcome: unknownOutcome,
    robot: 'AgiBot A2D',
    calibrations,
    grippers: grippersOf(signals.streams),
    labels: null,
    findings: [
      ...findings,
      ...reading.findings,
      ...wrongIndex,
      ...signals.findings,
      ...sentFinding(sent, signals.streams, total, file.path),
      ...subSteps.findings,
    ],
  };
}

/** Arrays of no rows are what the robot did not have. */
async function signalStreams(
  { arrays }: FileArrays,
  reading: StepReading,
  frames: FrameClock,
  sent: Parameters<typeof timed>[2],
): Promise<{ streams: Stream[]; findings: Finding[] }> {
  const streams: Stream[] = [];
  const findings: Finding[] = [];
  const uneven: [string, number][] = [];
  for (const [id, dataset] of arrays) {
    if (!/^(state|action)\//.test(id) || dataset.rows === 0 || id.endsWith('/index')) continue;
    const facts = signalFacts(id, dataset.rowElements);
    const stream = checkedUnit(await reading.numeric({ id, dataset, ...facts }));
    if (id.startsWith('action/')) {
      const placed = timed(stream, frames, sent, reading.path);
      streams.push(placed.stream);
      if (placed.finding !== null) findings.push(placed.finding);
      continue;
    }
    streams.push({ ...stream, ...everyFrame(frames, stream.sample_count) });
    if (stream.sample_count !== frames.clock.time_s.length) uneven.push([id, stream.sample_count]);
  }
  return { streams, findings: [...findings, ...unevenFindings(uneven, frames, reading.path)] };
}

function unevenFindings(uneven: readonly [string, number][], { clock }: FrameClock, path: string): Finding[] {
  if (uneven.length === 0) return [];
  const named = uneven.slice(0, 4).map(([id, rows]) => `${id} ${rows}`);
  return [
    {
      ...{ code: 'array_length_mismatch', severity: 'error', path },
      message: `there are ${clock.time_s.length} frames; not so: ${named.join(', ')}${uneven.length > 4 ? ', …' : ''}`,
      advice: 'leave the episode out: which rows are missing cannot be told',
      evidence: { frames: clock.time_s.length, arrays: Object.fromEntries(uneven.slice(0, 20)) },
    },
  ];
}

/** As the joints count, where there are no stamps. */
function framesOf({ arrays }: FileArrays): number {
  const counted = arrays.get('state/joint/position') ?? arrays.get('state/end/position');
  return (
    counted?.rows ??
    Math.max(0, ...[...arrays].flatMap(([id, { rows }]) => (id.startsWith('state/') ? [rows] : [])))
  );
}

function durationOf({ clock: { time_s } }: FrameClock): number {
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

/** Videos, of cameras that other episodes of the task have too, tactile sensors and depth pictures. */
function pictureStreams(own: AgibotEpisode, expected: ReadonlySet<string>, frames: FrameClock): Stream[] {
  const names = [...new Set([...own.videos.keys(), ...expected])].sort();
  const missing = (name: string) => `observations/${own.task}/${own.episode}/videos/${name}_color.mp4`;
  return [
    ...names.map((name) =>
      videoStream(`camera/${name}`, 'camera', own.videos.get(name) ?? null, missing(name), frames),
    ),
    ...[...own.tactile].map(([name, path]) => videoStream(`tactile/${name}`, 'tactile', path, path, frames)),
    ...[...own.depth].map(([name, pictures]) => depthStream(`depth/${name}`, pictures, frames)),
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
    unit: { unit: 'px', evidence: 'known_format', reason: 'a video, frame by frame beside the state' },
    ...everyFrame(frames, samples),
    frames: {
      locator:
        path === null
          ? { type: 'missing', path: missing, reason: 'other episodes of its task have this camera' }
          : { type: 'video', path, from_s: 0, to_s: null, expected_frames: samples },
      declared_size_px: null,
      declared_codec: null,
    },
  };
}

function depthStream(id: string, pictures: readonly DepthPicture[], frames: FrameClock): Stream {
  return {
    ...{ id, role: 'depth', modality: 'image', shape: [], names: null, sample_count: pictures.length },
    unit: { unit: 'mm', evidence: 'known_format', reason: 'AgiBot World: depth in millimetres' },
    ...everyFrame(frames, pictures.length),
    frames: {
      locator: { type: 'image-files', paths: pictures.map(({ path }) => path) },
      declared_size_px: null,
      declared_codec: null,
    },
  };
}

const mostBytes = 16 * 1024 * 1024;
const mostNumbers = 64;

/** Intrinsics and extrinsics as their files have them; of poses of every frame the first. */
async function calibrationsOf(
  tree: SourceTree,
  { parameters }: AgibotEpisode,
  findings: Finding[],
): Promise<Calibration[]> {
  const calibrations: Calibration[] = [];
  for (const path of parameters) {
    const said = await tree
      .text(path, mostBytes)
      .then((text): unknown => JSON.parse(text))
      .catch(() => null);
    const whole = Array.isArray(said);
    const values: Record<string, readonly number[]> = {};
    collect(whole ? (said as unknown[])[0] : said, '', values, 0);
    if (Object.keys(values).length === 0) {
      findings.push({
        ...{ code: 'calibration_unreadable', severity: 'warning', path },
        message: `${path} holds no numbers that can be read`,
        advice: 'copy the file again; the episode is read without it',
      });
      continue;
    }
    const name = path.slice(path.lastIndexOf('/') + 1).replace(/_(in|ex)trinsic.*$/, '');
    const model = whole ? `of the first of ${(said as unknown[]).length} frames` : null;
    calibrations.push({ target: `camera/${name}`, model, source: path, values });
  }
  return calibrations;
}

/** Numbers and small arrays of a JSON object, by their path in it. */
function collect(said: unknown, at: string, into: Record<string, readonly number[]>, depth: number): void {
  if (depth > 4 || Object.keys(into).length >= mostNumbers) return;
  if (typeof said === 'number') into[at] = [said];
  else if (Array.isArray(said)) {
    const flat: unknown[] = said.flat(2);
    const isSmall = flat.length > 0 && flat.length <= mostNumbers;
    if (isSmall && flat.every((one) => typeof one === 'number')) into[at] = flat as number[];
  } else if (typeof said === 'object' && said !== null) {
    for (const [key, value] of Object.entries(said))
      collect(value, at === '' ? key : `${at}/${key}`, into, depth + 1);
  }
}
