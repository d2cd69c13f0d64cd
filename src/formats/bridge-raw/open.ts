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
import { rangesOf } from '../shared/number-ranges.ts';
import type { Dataset, ReadOptions, Recognition, Unreadable, WorkUnit } from '../shared/reader.ts';
import { dayOf, type StepPicture, type Trajectory, trajectoriesOf } from './layout.ts';

/** A trajectory a work unit. */
export function openBridge(tree: SourceTree, recognition: Recognition): Dataset {
  const trajectories = trajectoriesOf(tree);
  return {
    facts: {
      format: 'bridge-raw',
      version: null,
      declared_episodes: null,
      declared_frames: null,
      declared_rate_hz: rate_hz,
      robot: 'WidowX 250',
      declared_cameras: [],
    },
    recognition,
    findings: [...pickleFindings(trajectories), ...undatedFindings(trajectories)],
    units: trajectories.map(unitOf),
    read: (unit, options) => readUnit(tree, trajectories[unit.first_index], unit, options),
    close: async () => {},
  };
}

function unitOf(own: Trajectory, index: number): WorkUnit {
  return {
    id: idOf(own),
    expected_episodes: 1,
    first_index: index,
    bytes: own.bytes,
    look_bytes: own.bytes - own.picture_bytes,
    selector: null,
  };
}

async function* readUnit(
  tree: SourceTree,
  own: Trajectory,
  unit: WorkUnit,
  options: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  options.signal?.throwIfAborted();
  const context = { index: unit.first_index, hasher: createFileHasher(tree), hashes: hashScope(options) };
  yield await readTrajectory(tree, own, context);
  options.onBytes?.(unit.bytes);
}

function pickleFindings(trajectories: readonly Trajectory[]): Finding[] {
  const pickles = trajectories.reduce((count, own) => count + own.pickles.length, 0);
  if (pickles === 0) return [];
  return [
    {
      ...{ code: 'pickles_not_read', severity: 'warning', path: null },
      message: `states, actions, gripper and times lie in Python pickles (${pickles} files) and are not read: loading a pickle runs whatever is in it; pictures and texts alone are judged`,
      advice: 'to have the numbers judged, take the NumPy or the RLDS (TFDS) version of BridgeData V2',
      evidence: { pickles },
    },
  ];
}

/** Below a root that is deeper than the folder of a recording, nothing says when that was made. */
function undatedFindings(trajectories: readonly Trajectory[]): Finding[] {
  const undated = trajectories.filter((own) => dayOf(own) === null).length;
  if (undated === 0) return [];
  return [
    {
      ...{ code: 'recording_date_unknown', severity: 'info', path: null },
      message: `${undated} of ${trajectories.length} trajectories are in no folder that says when they were recorded; pictures from before 2021-07-23 come one step late`,
      advice: 'pass the folder above the one called by date and time, so that such recordings are told',
    },
  ];
}

interface TrajectoryContext {
  readonly index: number;
  readonly hasher: FileHasher;
  readonly hashes: HashScope;
}

/** Steps of 0.2 s. */
const rate_hz = 5;
/** The camera's latency was found, and the recording changed, on this day. */
const latencyUntil = '2021-07-23';
const longestLanguage = 1024 * 1024;

/** What the episode of this folder is called. */
function idOf({ folder }: Trajectory): string {
  return folder === '' ? 'trajectory' : folder;
}

/** Reads one trajectory; without pictures nothing of it can be judged. */
async function readTrajectory(
  tree: SourceTree,
  own: Trajectory,
  { index, hasher, hashes }: TrajectoryContext,
): Promise<Episode | Unreadable> {
  const cameras = [...own.cameras];
  if (cameras.length === 0) {
    return { unreadable: true, id: idOf(own), index, finding: incomplete(own, ['pictures']) };
  }
  const missing = ['obs_dict.pkl', 'policy_out.pkl'].filter((name) => !own.pickles.includes(name));
  const day = dayOf(own);
  const streams = [
    ...cameras.map(([id, pictures]) => cameraStream(id, pictures)),
    ...own.pickles.flatMap((name) => unreadStream(name)),
  ];
  const findings: Finding[] = [
    ...(missing.length > 0 ? [incomplete(own, missing)] : []),
    ...stepFindings(own),
    ...(day !== null && day < latencyUntil ? [latencyFinding(own, day)] : []),
  ];
  const lastStep = Math.max(...cameras.map(([, pictures]) => pictures[pictures.length - 1].step));
  return {
    id: idOf(own),
    index,
    locator: { format: 'bridge-raw', path: cameras[0][1][0].path },
    sources: await sourceRefs(tree, filesUsed(own), hasher, hashes),
    // The folder's name says when, and no zone.
    start_ns: null,
    duration_s: (lastStep + 1) / rate_hz,
    streams,
    events: [],
    tasks: await tasksOf(tree, own.language, findings),
    outcome: unknownOutcome,
    robot: 'WidowX 250',
    calibrations: [],
    grippers: [],
    labels: null,
    findings,
  };
}

function cameraStream(id: string, pictures: readonly StepPicture[]): Stream {
  return {
    ...{ id, role: id.startsWith('depth') ? 'depth' : 'camera', modality: 'image', shape: [], names: null },
    unit: { unit: 'px', evidence: 'known_format', reason: 'a picture file' },
    declared_rate_hz: rate_hz,
    sample_count: pictures.length,
    clocks: [
      {
        name: `step / ${rate_hz} Hz`,
        provenance: 'synthesised',
        time_s: Float64Array.from(pictures, ({ step }) => step / rate_hz),
      },
    ],
    clock: {
      index: 0,
      reason:
        'the number of the picture in steps of 0.2 s, as BridgeData V2 records; true times are in a pickle',
    },
    frames: {
      locator: { type: 'image-files', paths: pictures.map(({ path }) => path) },
      declared_size_px: null,
      declared_codec: null,
    },
  };
}

/** Named, so that it shows what the recording holds and was not looked at. */
function unreadStream(name: string): Stream[] {
  if (name === 'agent_data.pkl') return [];
  return [
    {
      ...{ id: name, role: name === 'policy_out.pkl' ? 'action' : 'state', modality: 'opaque', shape: [] },
      names: null,
      unit: { unit: 'unknown', evidence: 'unknown', reason: 'a Python pickle, which is never loaded' },
      declared_rate_hz: rate_hz,
      sample_count: 0,
      clocks: [],
      clock: null,
    },
  ];
}

/** One text a line; lines with the word `confidence` say how sure a labeller was. */
async function tasksOf(
  tree: SourceTree,
  path: string | null,
  findings: Finding[],
): Promise<readonly TaskText[]> {
  if (path === null) return [];
  const whole = await tree.text(path, longestLanguage).catch(() => null);
  if (whole === null) {
    findings.push({
      ...{ code: 'text_unreadable', severity: 'warning', path },
      message: `${path} cannot be read as a short text`,
      advice: 'copy the file again; the episode is read without task text',
    });
    return [];
  }
  const lines = whole.split(/\r?\n/).map((line) => line.trim());
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

function incomplete({ folder, language }: Trajectory, lacks: readonly string[]): Finding {
  return {
    ...{ code: 'episode_incomplete', severity: 'error', path: folder === '' ? language : folder },
    message: `the trajectory lacks ${lacks.join(', ')}`,
    advice: 'copy the folder again, or leave the trajectory out',
    evidence: { lacks: [...lacks] },
  };
}

function latencyFinding({ folder }: Trajectory, day: string): Finding {
  return {
    ...{ code: 'camera_latency', severity: 'warning', path: folder },
    message: `recorded on ${day}, before 2021-07-23, when pictures still came one step late`,
    advice:
      'drop the first observation and the last action before training, as the converter of BridgeData V2 does',
    evidence: { late_steps: 1 },
  };
}

/** Steps that have no picture, and cameras that stop before others. */
function stepFindings({ folder, cameras }: Trajectory): Finding[] {
  const findings: Finding[] = [];
  const ends = new Map([...cameras].map(([id, pictures]) => [id, pictures[pictures.length - 1].step + 1]));
  for (const [id, pictures] of cameras) {
    const absent = absentSteps(pictures);
    if (absent.length === 0) continue;
    findings.push({
      ...{ code: 'frames_missing', severity: 'error', path: pictures[0].path },
      message: `${id} has no picture of the steps ${rangesOf(absent)}`,
      advice: 'copy the folder again; do not pair pictures with steps by their order',
      evidence: { pictures: pictures.length, steps: ends.get(id) ?? 0 },
    });
  }
  if (new Set(ends.values()).size > 1) {
    findings.push({
      ...{ code: 'camera_lengths_differ', severity: 'error', path: folder === '' ? null : folder },
      message: `cameras end at different steps: ${[...ends].map(([id, end]) => `${id} ${end}`).join(', ')}`,
      advice: 'copy the folder again, or cut the trajectory to the steps that all cameras have',
      evidence: { steps: Object.fromEntries(ends) },
    });
  }
  return findings;
}

/** Numbers of steps have six digits at most, so that one wild number costs little. */
function absentSteps(pictures: readonly StepPicture[]): number[] {
  const absent: number[] = [];
  let next = 0;
  for (const { step } of pictures) {
    for (; next < step; next++) absent.push(next);
    next = step + 1;
  }
  return absent;
}
