import type { Hdf5File } from '@assay/hdf5';
import { AssayError, messageOf } from '#core';
import type { Episode, Finding, Stream } from '#core/episode';
import { unknownOutcome } from '#core/episode';
import { type FileHasher, type HashScope, type SourceTree, sourceRefs, type UsedFile } from '#io/sources';
import { openHdf5 } from '../shared/hdf5-file.ts';
import type { Unreadable } from '../shared/reader.ts';
import { arraysBelow, type FileArrays } from '../shared/step-arrays/file-arrays.ts';
import { StepReading } from '../shared/step-arrays/numeric-stream.ts';
import { calibrationsOf, pictureStreams } from './cameras.ts';
import { sentFinding, sentFrames, timed } from './commands.ts';
import { everyFrame, type FrameClock, frameClock, frameRate } from './frame-clock.ts';
import type { AgibotEpisode } from './layout.ts';
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
