import { type Episode, type Finding, type Stream, type TaskText, unknownOutcome } from '#core/episode';
import {
  createFileHasher,
  type FileHasher,
  type HashScope,
  hashScope,
  type SourceTree,
  sourceRefs,
  type UsedFile,
} from '#io/sources';
import { formatRanges } from '../shared/numbers.ts';
import type { Dataset, ReadOptions, Recognition, Unreadable, WorkUnit } from '../shared/reader.ts';
import { findTrajectories, recordingDay, type StepPicture, type Trajectory } from './layout.ts';

/**
 * Opens a BridgeData V2 raw folder as a dataset with one work unit per trajectory; states and actions in pickles are
 * never loaded, which becomes a finding.
 */
export function openBridge(tree: SourceTree, recognition: Recognition): Dataset {
  const trajectories = findTrajectories(tree);
  return {
    facts: {
      format: 'bridge-raw',
      version: null,
      declared_episodes: null,
      declared_frames: null,
      declared_rate_hz: stepRate_hz,
      robot: 'WidowX 250',
      declared_cameras: [],
    },
    recognition,
    findings: [...pickleFindings(trajectories), ...undatedFindings(trajectories)],
    units: trajectories.map(toWorkUnit),
    read: (unit, options) => readUnit(tree, trajectories[unit.first_index], unit, options),
    close: async () => {},
  };
}

function toWorkUnit(trajectory: Trajectory, index: number): WorkUnit {
  return {
    id: trajectoryId(trajectory),
    expected_episodes: 1,
    first_index: index,
    bytes: trajectory.bytes,
    look_bytes: trajectory.bytes - trajectory.picture_bytes,
    selector: null,
  };
}

async function* readUnit(
  tree: SourceTree,
  trajectory: Trajectory,
  unit: WorkUnit,
  options: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  options.signal?.throwIfAborted();
  const context = { index: unit.first_index, hasher: createFileHasher(tree), hashes: hashScope(options) };
  yield await readTrajectory(tree, trajectory, context);
  options.onBytes?.(unit.bytes);
}

function pickleFindings(trajectories: readonly Trajectory[]): Finding[] {
  const pickles = trajectories.reduce((count, trajectory) => count + trajectory.pickles.length, 0);
  if (pickles === 0) return [];
  return [
    {
      ...{ code: 'pickles_not_read', severity: 'warning', path: null },
      message: `states, actions, gripper and timestamps are in Python pickles (${pickles} files), which are not loaded because a pickle can execute code; only images and task texts are evaluated`,
      advice: 'to evaluate the numbers, use the NumPy or RLDS (TFDS) version of BridgeData V2',
      evidence: { pickles },
    },
  ];
}

/**
 * Returns a finding for trajectories whose recording date is unknown, since no folder of their path has a date and time
 * as its name.
 */
function undatedFindings(trajectories: readonly Trajectory[]): Finding[] {
  const undated = trajectories.filter((trajectory) => recordingDay(trajectory) === null).length;
  if (undated === 0) return [];
  return [
    {
      ...{ code: 'recording_date_unknown', severity: 'info', path: null },
      message: `${undated} of ${trajectories.length} trajectories are in folders without a recording date; images from before 2021-07-23 are one step late`,
      advice: 'pass the parent folder that is named by date and time, so that late images are detected',
    },
  ];
}

interface TrajectoryContext {
  readonly index: number;
  readonly hasher: FileHasher;
  readonly hashes: HashScope;
}

/** Rate of steps: one every 0.2 s. */
const stepRate_hz = 5;
/** Date on which the recording code was corrected for camera latency. Earlier recordings have images one step late. */
const latencyFixedOn = '2021-07-23';
const maxLanguageBytes = 1024 * 1024;

/** Returns the episode id: the folder, or `trajectory` for the root itself. */
function trajectoryId({ folder }: Trajectory): string {
  return folder === '' ? 'trajectory' : folder;
}

/** Reads one trajectory. Returns an `Unreadable` if it has no images. */
async function readTrajectory(
  tree: SourceTree,
  trajectory: Trajectory,
  { index, hasher, hashes }: TrajectoryContext,
): Promise<Episode | Unreadable> {
  const cameras = [...trajectory.cameras];
  if (cameras.length === 0) {
    return {
      unreadable: true,
      id: trajectoryId(trajectory),
      index,
      finding: incompleteFinding(trajectory, ['pictures']),
    };
  }
  const missing = ['obs_dict.pkl', 'policy_out.pkl'].filter((name) => !trajectory.pickles.includes(name));
  const day = recordingDay(trajectory);
  const streams = [
    ...cameras.map(([id, pictures]) => cameraStream(id, pictures)),
    ...trajectory.pickles.flatMap((name) => unreadStream(name)),
  ];
  const findings: Finding[] = [
    ...(missing.length > 0 ? [incompleteFinding(trajectory, missing)] : []),
    ...(trajectory.pickles.some((name) => name !== 'agent_data.pkl') ? [halfReadFinding] : []),
    ...stepFindings(trajectory),
    ...(day !== null && day < latencyFixedOn ? [latencyFinding(trajectory, day)] : []),
  ];
  const lastStep = Math.max(...cameras.map(([, pictures]) => pictures[pictures.length - 1].step));
  return {
    id: trajectoryId(trajectory),
    index,
    locator: { format: 'bridge-raw', path: cameras[0][1][0].path },
    sources: await sourceRefs(tree, filesUsed(trajectory), hasher, hashes),
    // The folder name has a date and time without a time zone.
    start_ns: null,
    duration_s: (lastStep + 1) / stepRate_hz,
    streams,
    events: [],
    tasks: await readTaskTexts(tree, trajectory.language, findings),
    outcome: unknownOutcome,
    robot: 'WidowX 250',
    calibrations: [],
    grippers: [],
    labels: null,
    findings,
  };
}

/** An error, so that a trajectory of which only the images are evaluated is at most `review`. */
const halfReadFinding: Finding = {
  ...{ code: 'pickles_not_read', severity: 'error', path: null },
  message:
    'states and actions are in Python pickles, which are not loaded: only images and task texts were evaluated',
  advice: 'to evaluate the numbers, use the NumPy or RLDS (TFDS) version of BridgeData V2',
};

function cameraStream(id: string, pictures: readonly StepPicture[]): Stream {
  return {
    ...{ id, role: id.startsWith('depth') ? 'depth' : 'camera', modality: 'image', shape: [], names: null },
    unit: { unit: 'px', evidence: 'known_format', reason: 'image file' },
    declared_rate_hz: stepRate_hz,
    sample_count: pictures.length,
    clocks: [
      {
        name: `step / ${stepRate_hz} Hz`,
        provenance: 'synthesised',
        time_s: Float64Array.from(pictures, ({ step }) => step / stepRate_hz),
      },
    ],
    clock: {
      index: 0,
      reason:
        'image number in steps of 0.2 s, the rate of BridgeData V2; the real timestamps are in a pickle',
    },
    frames: {
      locator: { type: 'image-files', paths: pictures.map(({ path }) => path) },
      declared_size_px: null,
      declared_codec: null,
    },
  };
}

/**
 * Returns an opaque stream for a pickle, which shows that the recording has it and that it was not read; none for
 * agent_data.pkl.
 */
function unreadStream(name: string): Stream[] {
  if (name === 'agent_data.pkl') return [];
  return [
    {
      ...{ id: name, role: name === 'policy_out.pkl' ? 'action' : 'state', modality: 'opaque', shape: [] },
      names: null,
      unit: { unit: 'unknown', evidence: 'unknown', reason: 'Python pickle, never loaded' },
      declared_rate_hz: stepRate_hz,
      sample_count: 0,
      clocks: [],
      clock: null,
    },
  ];
}

/**
 * Reads lang.txt: one task text per line, duplicates removed. Lines with the word `confidence` hold labeller confidence
 * and are skipped. An unreadable file adds a finding.
 */
async function readTaskTexts(
  tree: SourceTree,
  path: string | null,
  findings: Finding[],
): Promise<readonly TaskText[]> {
  if (path === null) return [];
  const content = await tree.text(path, maxLanguageBytes).catch(() => null);
  if (content === null) {
    findings.push({
      ...{ code: 'text_unreadable', severity: 'warning', path },
      message: `cannot read ${path} as a short text file`,
      advice: 'copy the file again; the episode is read without task text',
    });
    return [];
  }
  const lines = content.split(/\r?\n/).map((line) => line.trim());
  const texts = new Set(lines.filter((line) => line !== '' && !line.includes('confidence')));
  return [...texts].map((text) => ({ text, source: path }));
}

function filesUsed({ cameras, language }: Trajectory): UsedFile[] {
  const pictures = [...cameras.values()].flat();
  return [
    ...pictures.map(({ path }) => ({ path, role: 'image' as const })),
    ...(language === null ? [] : [{ path: language, role: 'annotation' as const }]),
  ];
}

function incompleteFinding({ folder, language }: Trajectory, lacks: readonly string[]): Finding {
  return {
    ...{ code: 'episode_incomplete', severity: 'error', path: folder === '' ? language : folder },
    message: `missing in the trajectory: ${lacks.join(', ')}`,
    advice: 'copy the folder again, or exclude the trajectory',
    evidence: { lacks: [...lacks] },
  };
}

function latencyFinding({ folder }: Trajectory, day: string): Finding {
  return {
    ...{ code: 'camera_latency', severity: 'warning', path: folder },
    message: `recorded on ${day}, before 2021-07-23, when images were one step late`,
    advice:
      'drop the first observation and the last action before training, as the BridgeData V2 converter does',
    evidence: { late_steps: 1 },
  };
}

/** Reports steps without an image, and cameras that end at different steps. */
function stepFindings({ folder, cameras }: Trajectory): Finding[] {
  const findings: Finding[] = [];
  const ends = new Map([...cameras].map(([id, pictures]) => [id, pictures[pictures.length - 1].step + 1]));
  for (const [id, pictures] of cameras) {
    const missingSteps = findMissingSteps(pictures);
    if (missingSteps.length === 0) continue;
    findings.push({
      ...{ code: 'frames_missing', severity: 'error', path: pictures[0].path },
      message: `${id} has no images for steps ${formatRanges(missingSteps)}`,
      advice: 'copy the folder again; do not pair images with steps by their order',
      evidence: { pictures: pictures.length, steps: ends.get(id) ?? 0 },
    });
  }
  if (new Set(ends.values()).size > 1) {
    findings.push({
      ...{ code: 'camera_lengths_differ', severity: 'error', path: folder === '' ? null : folder },
      message: `cameras end at different steps: ${[...ends].map(([id, end]) => `${id} ${end}`).join(', ')}`,
      advice: 'copy the folder again, or trim the trajectory to the steps that all cameras have',
      evidence: { steps: Object.fromEntries(ends) },
    });
  }
  return findings;
}

/**
 * Returns the step numbers without an image. Step numbers have at most six digits, so a wrong number cannot make this
 * list huge.
 */
function findMissingSteps(pictures: readonly StepPicture[]): number[] {
  const missingSteps: number[] = [];
  let next = 0;
  for (const { step } of pictures) {
    for (; next < step; next++) missingSteps.push(next);
    next = step + 1;
  }
  return missingSteps;
}
