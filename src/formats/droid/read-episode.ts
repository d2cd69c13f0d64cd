import type { Hdf5Dataset, Hdf5File } from '@assay/hdf5';
import { AssayError, messageOf } from '#core';
import { type Episode, type Finding, type Outcome, type Stream, unknownOutcome } from '#core/episode';
import { type FileHasher, type HashScope, type SourceTree, sourceRefs, type UsedFile } from '#io/sources';
import {
  assertStepCount,
  findUnevenArrays,
  listArrays,
  StepArrayReader,
} from '../shared/arrays/step-arrays.ts';
import { describeGripper, type GripperLayout } from '../shared/grippers.ts';
import { nullIfUnreadable, openHdf5 } from '../shared/hdf5-file.ts';
import type { Unreadable } from '../shared/reader.ts';
import { actionStamps, chooseClocks, controlRate, readStamps, type Stamps, stateStamps } from './clocks.ts';
import type { EpisodeFolder } from './layout.ts';
import {
  type Camera,
  cameraStream,
  extrinsicCalibrations,
  findCameras,
  type Metadata,
  readMetadata,
} from './metadata.ts';
import { findIdleSteps, isSignal, signalFacts } from './signals.ts';

/** Inputs to `readEpisode` besides the folder. */
export interface EpisodeContext {
  readonly index: number;
  readonly hasher: FileHasher;
  readonly hashes: HashScope;
}

const knownGripper: GripperLayout = {
  unit: '0..1 closed',
  open_value: 0,
  range: [-0.1, 1.1],
  reason: 'DROID: gripper_position is 1 - width / largest width, so 0 is open',
};

/** Returns the episode id: the folder, or `episode` for the root itself. */
export function episodeId({ folder }: EpisodeFolder): string {
  return folder === '' ? 'episode' : folder;
}

/**
 * Reads one episode folder, or returns an `Unreadable` if trajectory.h5 is missing, unreadable or empty; other missing
 * parts are reported in a finding and the rest is read.
 */
export async function readEpisode(
  tree: SourceTree,
  episodeFolder: EpisodeFolder,
  context: EpisodeContext,
): Promise<Episode | Unreadable> {
  if (episodeFolder.trajectory === null)
    return unreadable(
      episodeFolder,
      context.index,
      incompleteFinding(episodeFolder, findMissingParts(episodeFolder, [])),
    );
  let file: Hdf5File | null = null;
  try {
    file = await openHdf5(tree, episodeFolder.trajectory);
    return await readTrajectory(tree, episodeFolder, file, context);
  } catch (thrown) {
    if (!(thrown instanceof AssayError)) throw thrown;
    const missingParts = [
      `a readable trajectory.h5 (${messageOf(thrown)})`,
      ...findMissingParts(episodeFolder, []),
    ];
    return unreadable(episodeFolder, context.index, incompleteFinding(episodeFolder, missingParts));
  } finally {
    await file?.close();
  }
}

function unreadable(episodeFolder: EpisodeFolder, index: number, finding: Finding): Unreadable {
  return { unreadable: true, id: episodeId(episodeFolder), index, finding };
}

async function readTrajectory(
  tree: SourceTree,
  episodeFolder: EpisodeFolder,
  file: Hdf5File,
  { index, hasher, hashes }: EpisodeContext,
): Promise<Episode | Unreadable> {
  const findings: Finding[] = [...file.findings];
  const contents = await listArrays(file.root, file.path);
  const signals = [...contents.arrays].filter(([id]) => isSignal(id));
  const steps = countSteps(contents.arrays);
  if (steps === 0) {
    return unreadable(
      episodeFolder,
      index,
      incompleteFinding(episodeFolder, [
        'steps (trajectory.h5 has none)',
        ...findMissingParts(episodeFolder, []),
      ]),
    );
  }
  assertStepCount(steps, file.path);
  const reading = new StepArrayReader(file.path, null, null);
  const stamps = await readStamps(contents, reading, steps);
  const streams = await signalStreams(signals, reading, stamps);
  for (const [id, error] of contents.unread) reading.addUnreadable(id, error);
  const metadata =
    episodeFolder.metadata === null ? null : await readMetadata(tree, episodeFolder.metadata, findings);
  const cameras = await findCameras(episodeFolder, metadata, contents);
  for (const camera of cameras) streams.push(cameraStream(camera, episodeFolder.folder, stamps, steps));
  const idle = await findIdleSteps(contents, reading, stepTimes(stamps, steps));
  const outcomeSources = await readOutcomeSources(metadata, episodeFolder, file);
  const { outcome, findings: disagreement } = resolveOutcome(outcomeSources);
  const missingParts = findMissingParts(episodeFolder, cameras);
  return {
    id: episodeId(episodeFolder),
    index,
    locator: { format: 'droid', path: file.path },
    sources: await sourceRefs(tree, filesUsed(episodeFolder), hasher, hashes),
    start_ns: startTime(stamps),
    duration_s: computeDuration(streams),
    streams,
    events: idle.events,
    tasks: outcomeSources.tasks,
    outcome,
    robot: 'Franka Panda',
    calibrations: extrinsicCalibrations(metadata, episodeFolder.metadata),
    grippers: streams.flatMap((stream) =>
      isGripper(stream) ? [describeGripper(stream, 0, knownGripper)] : [],
    ),
    labels: null,
    findings: [
      ...findings,
      ...(missingParts.length > 0 ? [incompleteFinding(episodeFolder, missingParts)] : []),
      ...reading.findings,
      ...lengthFindings(file.path, steps, findUnevenArrays(signals, steps), metadata, episodeFolder.metadata),
      ...idle.findings,
      ...disagreement,
    ],
  };
}

async function signalStreams(
  signals: readonly [string, Hdf5Dataset][],
  reading: StepArrayReader,
  stamps: Stamps,
): Promise<Stream[]> {
  const streams: Stream[] = [];
  for (const [id, dataset] of signals) {
    const facts = signalFacts(id, dataset.rowElements);
    const stream = await reading.readStream({ id, dataset, ...facts });
    const group = id.startsWith('action/') ? actionStamps : stateStamps;
    streams.push({ ...stream, ...chooseClocks(group, stamps, stream.sample_count) });
  }
  return streams;
}

/** Returns the time at which the command of each step was sent; empty if unknown. */
function stepTimes(stamps: Stamps, steps: number): Float64Array {
  const { clocks, clock } = chooseClocks(actionStamps, stamps, steps);
  return clock === null ? new Float64Array(0) : clocks[clock.index].time_s;
}

function startTime({ origin_ms: zero_ms }: Stamps): string | null {
  return zero_ms === null ? null : (BigInt(Math.round(zero_ms)) * 1_000_000n).toString();
}

/**
 * Returns the number of steps: rows of the commanded joint positions, else of the measured ones, else of the longest
 * signal.
 */
function countSteps(arrays: ReadonlyMap<string, { readonly rows: number }>): number {
  const counted =
    arrays.get('action/joint_position') ?? arrays.get('observation/robot_state/joint_positions');
  if (counted !== undefined) return counted.rows;
  return Math.max(0, ...[...arrays].flatMap(([id, { rows }]) => (isSignal(id) ? [rows] : [])));
}

function isGripper({ id, series }: Stream): boolean {
  return /^(observation\/robot_state|action)\/gripper_position$/.test(id) && series?.dims === 1;
}

/** Reads success and task from the metadata, or from the attributes of trajectory.h5 if there is no metadata. */
async function readOutcomeSources(metadata: Metadata | null, episodeFolder: EpisodeFolder, file: Hdf5File) {
  const { attributes } = file.root;
  const successAttribute = metadata === null ? await nullIfUnreadable(attributes.number('success')) : null;
  const text = metadata?.current_task ?? (await nullIfUnreadable(attributes.text('current_task')));
  const success_source = (metadata === null ? null : episodeFolder.metadata) ?? file.path;
  return {
    success:
      metadata === null ? (successAttribute === null ? null : successAttribute !== 0) : metadata.success,
    success_source,
    // If the episode's folder does not contain success/ or failure/, the path in the metadata is used.
    path: /(^|\/)(success|failure)\//.test(`${episodeFolder.folder}/`)
      ? `${episodeFolder.folder}/`
      : (metadata?.hdf5_path ?? ''),
    tasks: text === null || text.trim() === '' ? [] : [{ text: text.trim(), source: success_source }],
  };
}

function computeDuration(streams: readonly Stream[]): number {
  let last_s = 0;
  for (const { clocks, clock } of streams) {
    const end_s = clock === null ? undefined : clocks[clock.index].time_s.at(-1);
    if (end_s !== undefined && Number.isFinite(end_s) && end_s > last_s) last_s = end_s;
  }
  return last_s + (last_s > 0 ? 1 / controlRate.hz : 0);
}

function filesUsed({ metadata, trajectory, videos }: EpisodeFolder): UsedFile[] {
  return [
    ...(trajectory === null ? [] : [{ path: trajectory, role: 'data' as const }]),
    ...(metadata === null ? [] : [{ path: metadata, role: 'metadata' as const }]),
    ...[...videos.values()].map((path) => ({ path, role: 'video' as const })),
  ];
}

/** Sources of the outcome of an episode. */
interface OutcomeSources {
  /** Success by the metadata or, without it, by trajectory.h5; `null` if neither has it. */
  readonly success: boolean | null;
  readonly success_source: string;
  /** Path of the episode below its lab. Recordings start below failure/ and are moved to success/ on success. */
  readonly path: string;
}

/**
 * Returns the declared outcome, else the one implied by the folder. If both exist and differ, the outcome is unknown
 * and a finding is returned.
 */
function resolveOutcome({ success, success_source, path }: OutcomeSources): {
  outcome: Outcome;
  findings: Finding[];
} {
  const folder = /(?:^|\/)(success|failure)\//.exec(path)?.[1] ?? null;
  const value = success === null ? null : success ? 'success' : 'failure';
  if (value !== null && folder !== null && value !== folder) {
    const message = `${success_source} says ${value}, but the episode is in the folder ${folder}/`;
    const outcome: Outcome = { value: 'unknown', evidence: 'unknown', reason: message };
    const advice =
      'watch the end of the video; then correct the recorded success, or move the episode to the other folder';
    return {
      outcome,
      findings: [
        { ...{ code: 'outcome_contradicts', severity: 'warning', path: success_source }, message, advice },
      ],
    };
  }
  if (value !== null) {
    return { outcome: { value, evidence: 'declared', reason: `success in ${success_source}` }, findings: [] };
  }
  if (folder === 'success' || folder === 'failure') {
    const reason = `the episode is in the folder ${folder}/, where DROID stores such recordings`;
    return { outcome: { value: folder, evidence: 'known_format', reason }, findings: [] };
  }
  return { outcome: unknownOutcome, findings: [] };
}

/** Returns the names of the parts that the episode folder lacks. */
function findMissingParts(episodeFolder: EpisodeFolder, cameras: readonly Camera[]): string[] {
  const missingParts: string[] = [];
  if (episodeFolder.trajectory === null) missingParts.push('trajectory.h5');
  if (episodeFolder.metadata === null) missingParts.push('metadata_<uuid>.json');
  const camerasWithoutVideo = cameras.filter(({ video }) => video === null);
  if (camerasWithoutVideo.length > 0) {
    const listed = camerasWithoutVideo.map(({ name, serial }) =>
      name === serial ? serial : `${name} (${serial})`,
    );
    missingParts.push(`recordings/MP4 of ${listed.join(', ')}`);
  } else if (episodeFolder.videos.size === 0) missingParts.push('recordings/MP4');
  return missingParts;
}

/** Returns one finding that lists everything the folder lacks. */
function incompleteFinding({ folder, trajectory }: EpisodeFolder, missingParts: readonly string[]): Finding {
  return {
    ...{ code: 'episode_incomplete', severity: 'error', path: folder === '' ? trajectory : folder },
    message: `the recording is incomplete; missing: ${missingParts.join('; ')}`,
    advice:
      'copy the folder again; about a fifth of DROID raw is incomplete at its source, so exclude the episode if that does not help',
    evidence: { lacks: [...missingParts] },
  };
}

function lengthFindings(
  path: string,
  steps: number,
  uneven: readonly [string, number][],
  metadata: Metadata | null,
  metadataPath: string | null,
): Finding[] {
  const findings: Finding[] = [];
  if (uneven.length > 0) {
    const listed = uneven.slice(0, 4).map(([id, rows]) => `${id} ${rows}`);
    findings.push({
      ...{ code: 'array_length_mismatch', severity: 'error', path },
      message: `trajectory.h5 has ${steps} steps, but some arrays have a different number of rows: ${listed.join(', ')}${uneven.length > 4 ? ', …' : ''}`,
      advice: 'exclude the episode, or trim all arrays to the rows they share',
      evidence: { steps, arrays: Object.fromEntries(uneven.slice(0, 20)) },
    });
  }
  const declared = metadata?.trajectory_length ?? null;
  if (declared !== null && declared !== steps) {
    findings.push({
      ...{ code: 'metadata_count_mismatch', severity: 'warning', path: metadataPath },
      message: `trajectory_length is ${declared}, but trajectory.h5 has ${steps} steps`,
      advice: 'copy trajectory.h5 again, since it may be truncated; otherwise correct the metadata',
      evidence: { declared, found: steps },
    });
  }
  return findings;
}
