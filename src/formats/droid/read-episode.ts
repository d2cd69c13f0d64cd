import type { Hdf5Dataset, Hdf5File } from '@assay/hdf5';
import { AssayError, messageOf } from '#core';
import { type Episode, type Finding, type Outcome, type Stream, unknownOutcome } from '#core/episode';
import { type FileHasher, type HashScope, type SourceTree, sourceRefs, type UsedFile } from '#io/sources';
import { openHdf5, orNull } from '../shared/hdf5-file.ts';
import type { Unreadable } from '../shared/reader.ts';
import { arraysBelow, unevenArrays } from '../shared/step-arrays/file-arrays.ts';
import { gripperOf, type KnownGripper } from '../shared/step-arrays/grippers.ts';
import { checkSteps, StepReading } from '../shared/step-arrays/numeric-stream.ts';
import { type Camera, calibrationsOf, cameraStream, camerasOf } from './cameras.ts';
import { actionStamps, clocksOf, controlRate, readStamps, type Stamps, stateStamps } from './clocks.ts';
import { idleSteps } from './idle-steps.ts';
import type { EpisodeFolder } from './layout.ts';
import { type Metadata, readMetadata } from './metadata.ts';
import { isSignal, signalFacts } from './signals.ts';

export interface EpisodeContext {
  readonly index: number;
  readonly hasher: FileHasher;
  readonly hashes: HashScope;
}

const gripper: KnownGripper = {
  unit: '0..1 closed',
  open_value: 0,
  range: [-0.1, 1.1],
  reason: 'DROID: gripper_position is 1 - width / largest width, so 0 is open',
};

/** What the episode of this folder is called. */
export function idOf({ folder }: EpisodeFolder): string {
  return folder === '' ? 'episode' : folder;
}

/** Reads one folder. Without a trajectory there is no episode; what else lacks is told and the rest is read. */
export async function readEpisode(
  tree: SourceTree,
  own: EpisodeFolder,
  context: EpisodeContext,
): Promise<Episode | Unreadable> {
  if (own.trajectory === null) return unreadable(own, context.index, incomplete(own, lacking(own, [])));
  let file: Hdf5File | null = null;
  try {
    file = await openHdf5(tree, own.trajectory);
    return await readTrajectory(tree, own, file, context);
  } catch (thrown) {
    if (!(thrown instanceof AssayError)) throw thrown;
    const lacks = [`a trajectory.h5 that can be read (${messageOf(thrown)})`, ...lacking(own, [])];
    return unreadable(own, context.index, incomplete(own, lacks));
  } finally {
    await file?.close();
  }
}

function unreadable(own: EpisodeFolder, index: number, finding: Finding): Unreadable {
  return { unreadable: true, id: idOf(own), index, finding };
}

async function readTrajectory(
  tree: SourceTree,
  own: EpisodeFolder,
  file: Hdf5File,
  { index, hasher, hashes }: EpisodeContext,
): Promise<Episode | Unreadable> {
  const findings: Finding[] = [...file.findings];
  const contents = await arraysBelow(file.root, file.path);
  const signals = [...contents.arrays].filter(([id]) => isSignal(id));
  const steps = stepsOf(contents.arrays);
  if (steps === 0) {
    return unreadable(
      own,
      index,
      incomplete(own, ['steps: its trajectory.h5 holds none', ...lacking(own, [])]),
    );
  }
  checkSteps(steps, file.path);
  const reading = new StepReading(file.path, null, null);
  const stamps = await readStamps(contents, reading, steps);
  const streams = await signalStreams(signals, reading, stamps);
  for (const [id, error] of contents.unread) reading.unread(id, error);
  const metadata = own.metadata === null ? null : await readMetadata(tree, own.metadata, findings);
  const cameras = await camerasOf(own, metadata, contents);
  for (const camera of cameras) streams.push(cameraStream(camera, own.folder, stamps, steps));
  const idle = await idleSteps(contents, reading, stepTimes(stamps, steps));
  const spoken = await spokenOf(metadata, own, file);
  const { outcome, findings: disagreement } = outcomeOf(spoken);
  const lacks = lacking(own, cameras);
  return {
    id: idOf(own),
    index,
    locator: { format: 'droid', path: file.path },
    sources: await sourceRefs(tree, filesUsed(own), hasher, hashes),
    start_ns: startOf(stamps),
    duration_s: durationOf(streams),
    streams,
    events: idle.events,
    tasks: spoken.tasks,
    outcome,
    robot: 'Franka Panda',
    calibrations: calibrationsOf(metadata, own.metadata),
    grippers: streams.flatMap((stream) => (isGripper(stream) ? [gripperOf(stream, 0, gripper)] : [])),
    labels: null,
    findings: [
      ...findings,
      ...(lacks.length > 0 ? [incomplete(own, lacks)] : []),
      ...reading.findings,
      ...lengthFindings(file.path, steps, unevenArrays(signals, steps), metadata, own.metadata),
      ...idle.findings,
      ...disagreement,
    ],
  };
}

async function signalStreams(
  signals: readonly [string, Hdf5Dataset][],
  reading: StepReading,
  stamps: Stamps,
): Promise<Stream[]> {
  const streams: Stream[] = [];
  for (const [id, dataset] of signals) {
    const facts = signalFacts(id, dataset.rowElements);
    const stream = await reading.numeric({ id, dataset, ...facts });
    const group = id.startsWith('action/') ? actionStamps : stateStamps;
    streams.push({ ...stream, ...clocksOf(group, stamps, stream.sample_count) });
  }
  return streams;
}

/** When the command of each step was sent. */
function stepTimes(stamps: Stamps, steps: number): Float64Array {
  const { clocks, clock } = clocksOf(actionStamps, stamps, steps);
  return clock === null ? new Float64Array(0) : clocks[clock.index].time_s;
}

function startOf({ zero_ms }: Stamps): string | null {
  return zero_ms === null ? null : (BigInt(Math.round(zero_ms)) * 1_000_000n).toString();
}

/** As DROID counts them: rows of the joints commanded; of whatever is there where these are not. */
function stepsOf(arrays: ReadonlyMap<string, { readonly rows: number }>): number {
  const counted =
    arrays.get('action/joint_position') ?? arrays.get('observation/robot_state/joint_positions');
  if (counted !== undefined) return counted.rows;
  return Math.max(0, ...[...arrays].flatMap(([id, { rows }]) => (isSignal(id) ? [rows] : [])));
}

function isGripper({ id, series }: Stream): boolean {
  return /^(observation\/robot_state|action)\/gripper_position$/.test(id) && series?.dims === 1;
}

/** Success and task by the metadata; by the attributes of the trajectory where that is not there. */
async function spokenOf(metadata: Metadata | null, own: EpisodeFolder, file: Hdf5File) {
  const { attributes } = file.root;
  const said = metadata === null ? await orNull(attributes.number('success')) : null;
  const text = metadata?.current_task ?? (await orNull(attributes.text('current_task')));
  const said_in = (metadata === null ? null : own.metadata) ?? file.path;
  return {
    said: metadata === null ? (said === null ? null : said !== 0) : metadata.success,
    said_in,
    // The path in the metadata says the folder where the episode was handed over without it.
    path: /(^|\/)(success|failure)\//.test(`${own.folder}/`) ? `${own.folder}/` : (metadata?.hdf5_path ?? ''),
    tasks: text === null || text.trim() === '' ? [] : [{ text: text.trim(), source: said_in }],
  };
}

function durationOf(streams: readonly Stream[]): number {
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

/** What speaks of success. */
interface OutcomeSources {
  /** Of metadata or, without it, of the trajectory. */
  readonly said: boolean | null;
  readonly said_in: string;
  /** Path of the episode below its lab; recordings start below failure/ and are moved on success. */
  readonly path: string;
}

/** Success as it is said; where the folder says otherwise, nobody knows, and that is a finding. */
function outcomeOf({ said, said_in, path }: OutcomeSources): {
  outcome: Outcome;
  findings: Finding[];
} {
  const folder = /(?:^|\/)(success|failure)\//.exec(path)?.[1] ?? null;
  const value = said === null ? null : said ? 'success' : 'failure';
  if (value !== null && folder !== null && value !== folder) {
    const message = `${said_in} says ${value}, and the episode lies below ${folder}/`;
    const outcome: Outcome = { value: 'unknown', evidence: 'unknown', reason: message };
    const advice = 'look at the end of its video, and correct the one that is wrong';
    return {
      outcome,
      findings: [{ ...{ code: 'outcome_contradicts', severity: 'warning', path: said_in }, message, advice }],
    };
  }
  if (value !== null) {
    return { outcome: { value, evidence: 'declared', reason: `success in ${said_in}` }, findings: [] };
  }
  if (folder === 'success' || folder === 'failure') {
    const reason = `it lies below ${folder}/, where DROID puts such recordings`;
    return { outcome: { value: folder, evidence: 'known_format', reason }, findings: [] };
  }
  return { outcome: unknownOutcome, findings: [] };
}

/** What the folder of an episode should hold and does not. */
function lacking(own: EpisodeFolder, cameras: readonly Camera[]): string[] {
  const lacks: string[] = [];
  if (own.trajectory === null) lacks.push('trajectory.h5');
  if (own.metadata === null) lacks.push('metadata_<uuid>.json');
  const blind = cameras.filter(({ video }) => video === null);
  if (blind.length > 0) {
    const named = blind.map(({ name, serial }) => (name === serial ? serial : `${name} (${serial})`));
    lacks.push(`recordings/MP4 of ${named.join(', ')}`);
  } else if (own.videos.size === 0) lacks.push('recordings/MP4');
  return lacks;
}

/** One finding a folder, whatever it lacks. */
function incomplete({ folder, trajectory }: EpisodeFolder, lacks: readonly string[]): Finding {
  return {
    ...{ code: 'episode_incomplete', severity: 'error', path: folder === '' ? trajectory : folder },
    message: `the recording lacks ${lacks.join('; ')}`,
    advice:
      'copy the folder again; about a fifth of DROID raw is incomplete at its source, so leave it out if it stays so',
    evidence: { lacks: [...lacks] },
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
    const named = uneven.slice(0, 4).map(([id, rows]) => `${id} ${rows}`);
    findings.push({
      ...{ code: 'array_length_mismatch', severity: 'error', path },
      message: `there are ${steps} steps; not so: ${named.join(', ')}${uneven.length > 4 ? ', …' : ''}`,
      advice: 'leave the episode out, or cut every array to the rows they share',
      evidence: { steps, arrays: Object.fromEntries(uneven.slice(0, 20)) },
    });
  }
  const declared = metadata?.trajectory_length ?? null;
  if (declared !== null && declared !== steps) {
    findings.push({
      ...{ code: 'metadata_count_mismatch', severity: 'warning', path: metadataPath },
      message: `trajectory_length is ${declared}; trajectory.h5 holds ${steps} steps`,
      advice: 'copy trajectory.h5 again: it may have been cut off; or correct the metadata',
      evidence: { declared, found: steps },
    });
  }
  return findings;
}
