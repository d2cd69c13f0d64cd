import { type Hdf5Dataset, type Hdf5File, toFloats } from '@assay/hdf5';
import { AssayError } from '#core';
import { type Finding, type Stream, type UnitOfMeasure, unknownOutcome } from '#core/episode';
import { orNull } from '../../../shared/hdf5-file.ts';
import { arraysBelow, type FileArrays } from '../../../shared/step-arrays/file-arrays.ts';
import { gripperOf, type KnownGripper } from '../../../shared/step-arrays/grippers.ts';
import {
  checkSteps,
  clockOfSteps,
  durationOf,
  type KnownRate,
  noUnit,
  StepReading,
} from '../../../shared/step-arrays/numeric-stream.ts';
import type { EpisodeOptions, EpisodeParts, Hdf5Family, Hdf5Recording } from '../family.ts';
import { type CameraPlan, cameraStream, pictureAt, pictureKindOf } from '../picture-stream.ts';
import { languageOf } from '../texts.ts';
import { fileFindings, lengthFindings } from './aloha-findings.ts';
import type { AlohaOutline } from './aloha-outline.ts';

/** One file an episode: the leader's joints in /action, what the followers and cameras saw in /observations. */
export const alohaFamily: Hdf5Family = {
  id: 'aloha',
  title: 'ALOHA and ACT: one file an episode, /action and /observations',
  open: async (file) => {
    const action = await file.root.dataset('action');
    const qpos = await file.root.dataset('observations/qpos');
    if (action === null || qpos === null || action.shape.length !== 2) return null;
    return openAloha(file, action);
  },
};

const programRate: KnownRate = {
  hz: 50,
  source: 'DT = 0.02 s is a constant of the ALOHA recording program',
};

interface Aloha {
  readonly file: Hdf5File;
  readonly action: Hdf5Dataset;
  readonly contents: FileArrays;
  readonly cameras: readonly CameraPlan[];
  /** As the attribute says; null where nobody says. */
  readonly isSimulated: boolean | null;
  readonly rate: KnownRate | null;
  readonly outline: AlohaOutline;
}

async function openAloha(file: Hdf5File, action: Hdf5Dataset): Promise<Hdf5Recording> {
  const sim = await file.root.attributes.number('sim');
  const isSimulated = sim === null ? null : sim !== 0;
  const contents = await arraysBelow(file.root, file.path);
  const cameras = await camerasOf(contents, isSimulated === true ? 'rgb8' : '8UC3');
  const rate = await rateOf(file, action);
  const outline = await alohaOutline(file, action, contents, cameras);
  const aloha: Aloha = { file, action, contents, cameras, isSimulated, rate, outline };
  const pictures = new Set<Hdf5Dataset>(cameras.map(({ dataset }) => dataset));
  const numbers = [...contents.arrays.values()].filter((dataset) => !pictures.has(dataset));
  return {
    family: alohaFamily.id,
    evidence: `/action (${action.shape.join(' x ')}) beside /observations/qpos`,
    declared_frames: null,
    declared_rate_hz: rate?.hz ?? null,
    robot: isAlohaArms(action) ? 'aloha' : null,
    cameras: cameras.map(({ id }) => id),
    aloha: outline,
    findings: file.findings,
    conventions: conventionFindings(aloha),
    episodes: [''],
    look_bytes: numbers.reduce((sum, { rows, rowBytes }) => sum + rows * rowBytes, 0),
    read: (_, options) => readEpisode(aloha, options),
    picture: (_, channel, row) => pictureAt(cameras, channel, row),
  };
}

/** Said by an attribute in some forks; else that of the recording program, for the robot it was written for. */
async function rateOf(file: Hdf5File, action: Hdf5Dataset): Promise<KnownRate | null> {
  for (const name of ['fps', 'frequency', 'control_freq', 'hz']) {
    const hz = await orNull(file.root.attributes.number(name));
    if (hz !== null && hz > 0 && hz < 10_000) return { hz, source: `attribute ${name} of the file` };
  }
  return isAlohaArms(action) ? programRate : null;
}

const languageNames = ['language_raw', 'language_instruction', 'task', 'instruction'];

async function readEpisode(aloha: Aloha, { pictures, rooms }: EpisodeOptions): Promise<EpisodeParts> {
  const { file, action, contents, cameras, rate, isSimulated } = aloha;
  const { reader } = aloha.outline;
  const steps = action.rows;
  checkSteps(steps, file.path);
  const reading = new StepReading(file.path, clockOfSteps(steps, rate), null, rooms);
  const streams: Stream[] = [];
  for (const [id, dataset] of contents.arrays) {
    const role = roleOf(id);
    if (role === null || cameras.some((camera) => camera.id === id)) continue;
    const names = dataset.shape.length === 2 ? alohaDimensions(action, dataset) : null;
    streams.push(await reading.numeric({ id, role, dataset, names, unit: unitOf(id, dataset, action) }));
  }
  for (const camera of cameras) streams.push(await cameraStream(camera, reading, pictures));
  for (const [id, error] of contents.unread) reading.unread(id, error);
  const measured = [...contents.arrays].filter(([id]) => roleOf(id) !== null);
  const names = new Set([...contents.arrays.keys(), ...contents.unread.keys()]);
  const tasks = await languageOf(file.root, languageNames, (name, error) => reading.unread(name, error));
  const compressed = pictures ? await compressFindings(contents, cameras, streams, reading) : [];
  return {
    ...{
      streams,
      duration_s: durationOf(steps, rate),
      outcome: unknownOutcome,
      calibrations: [],
      rows: null,
    },
    tasks,
    robot: isAlohaArms(action) ? 'aloha' : null,
    grippers: streams.flatMap((stream) =>
      alohaGripper(stream, action).map((dimension) => gripperOf(stream, dimension.at, dimension.known)),
    ),
    findings: [
      ...reading.findings,
      ...lengthFindings(reader, file.path, steps, measured),
      ...fileFindings(reader, file.path, isSimulated !== null, names, streams),
      ...compressed,
      ...conventionFindings(aloha),
    ],
  };
}

/** null: belongs to the file and is no stream of its own. */
function roleOf(id: string): Stream['role'] | null {
  if (id === 'compress_len' || /^language|(^|\/)(task|instruction)$/.test(id)) return null;
  if (/^(base_)?action$/.test(id)) return 'action';
  if (/effort|torque|current/.test(id)) return 'effort';
  return /^observations\/(qpos|qvel|state|eef|ee_|joint|gripper|base|tracer)/.test(id) ? 'state' : 'other';
}

function unitOf(id: string, dataset: Hdf5Dataset, action: Hdf5Dataset): UnitOfMeasure {
  return isAlohaArms(action) && dataset.shape[1] === 14 ? (alohaUnits[id] ?? noUnit) : noUnit;
}

/** What whoever trains on such files must decide, and the files leave open. */
function conventionFindings({ file, isSimulated, cameras }: Aloha): Finding[] {
  const { path } = file;
  const findings: Finding[] = [];
  if (isSimulated !== true) {
    findings.push({
      ...{ code: 'action_shift', severity: 'info', path },
      message:
        isSimulated === false
          ? 'recorded on a robot: ACT trains an observation with the action one step before it (max(0, t - 1)); arrays are given unshifted'
          : 'whether it was recorded on a robot is not said (attribute sim); if so, ACT trains an observation with the action one step before it; arrays are given unshifted',
      advice: 'shift by one step when training on recordings of a robot, and not on simulated ones',
      evidence: { shift_steps: isSimulated === false ? 1 : null },
    });
  }
  if (isSimulated !== true && cameras.length > 0) {
    findings.push({
      ...{ code: 'colour_order_unknown', severity: 'info', path },
      message: 'whether pictures are RGB or BGR is not said: they are passed on from the camera as they come',
      advice: 'look at a picture (pixels are shown as BGR here) and note the order for training',
    });
  }
  return findings;
}

const folder = 'observations/images/';
const isServed = (id: string): boolean => id.startsWith(folder) && !/depth/.test(id);

async function alohaOutline(
  file: Hdf5File,
  action: Hdf5Dataset,
  { arrays, unread }: FileArrays,
  cameras: readonly CameraPlan[],
): Promise<AlohaOutline> {
  const served = cameras.filter(({ id }) => isServed(id));
  const says_encoded = ((await orNull(file.root.attributes.number('compress'))) ?? 0) !== 0;
  const has_encoded = served.some(({ pictures }) => pictures.kind !== 'raw');
  return {
    reader: says_encoded || has_encoded ? 'act-plus-plus' : 'ACT',
    says_encoded,
    has_encoded,
    action: action.shape,
    qpos: arrays.get('observations/qpos')?.shape ?? [],
    cameras: [...arrays.keys(), ...unread.keys()].filter(isServed).map((id) => id.slice(folder.length)),
    sizes: Object.fromEntries(
      served.flatMap(({ id, pictures, dataset }) =>
        pictures.kind === 'raw' ? [[id.slice(folder.length), dataset.shape.slice(1)]] : [],
      ),
    ),
  };
}

/** JOINT_NAMES of ALOHA's constants.py, and the gripper behind them. */
const joints = ['waist', 'shoulder', 'elbow', 'forearm_roll', 'wrist_angle', 'wrist_rotate', 'gripper'];
const dimensions = ['left', 'right'].flatMap((arm) => joints.map((joint) => `${arm}_${joint}`));

/** Two arms of six joints and a gripper, for which the layout was made; other widths are other robots. */
function isAlohaArms(action: Hdf5Dataset): boolean {
  return action.shape[1] === dimensions.length;
}

/** What the dimensions of an array of both arms are called; null for other arrays. */
function alohaDimensions(action: Hdf5Dataset, dataset: Hdf5Dataset): readonly string[] | null {
  return isAlohaArms(action) && dataset.shape[1] === dimensions.length ? dimensions : null;
}

const positions: UnitOfMeasure = {
  unit: 'mixed',
  evidence: 'known_format',
  reason: 'ALOHA: six joints in rad and a gripper from 0 closed to 1 open, an arm',
};

const alohaUnits: Readonly<Record<string, UnitOfMeasure>> = {
  action: positions,
  'observations/qpos': positions,
  'observations/qvel': {
    unit: 'mixed',
    evidence: 'known_format',
    reason: 'ALOHA: six joints in rad/s and a gripper in openings a second, an arm',
  },
};

const gripper: KnownGripper = {
  unit: '0..1 of travel',
  open_value: 1,
  range: [-0.25, 1.25],
  reason: 'ALOHA normalises grippers to 0 closed, 1 open; a little more or less occurs',
};

/** Which dimensions of a stream are grippers: only where both arms lie as ALOHA lays them. */
function alohaGripper(stream: Stream, action: Hdf5Dataset): { at: number; known: KnownGripper }[] {
  if (!isAlohaArms(action) || !(stream.id === 'action' || stream.id === 'observations/qpos')) return [];
  return stream.series?.dims === dimensions.length ? [6, 13].map((at) => ({ at, known: gripper })) : [];
}

/** The cameras below /observations: pixels, JPEG padded with zeros, or JPEG of variable length. */
async function camerasOf({ arrays }: FileArrays, colours: 'rgb8' | '8UC3'): Promise<CameraPlan[]> {
  const cameras: CameraPlan[] = [];
  for (const [id, dataset] of arrays) {
    if (!/^observations\/.*(image|depth|cam)/.test(id)) continue;
    const pictures = await orNull(pictureKindOf(dataset, colours));
    const role = /depth/.test(id) ? 'depth' : 'camera';
    if (pictures !== null) cameras.push({ id, role, dataset, pictures });
  }
  return cameras;
}

/**
 * /compress_len has a row a camera in the order of the writer's list, which the file does not keep. Lengths are read
 * off the pictures themselves (no JPEG ends in zeros) and held against every row.
 */
async function compressFindings(
  { arrays }: FileArrays,
  cameras: readonly CameraPlan[],
  streams: readonly Stream[],
  reading: StepReading,
): Promise<Finding[]> {
  const { path } = reading;
  const lengths = arrays.get('compress_len');
  const padded = cameras.filter(({ pictures }) => pictures.kind === 'padded');
  if (lengths === undefined || padded.length === 0) return [];
  const rows = await rowsOf(lengths, reading);
  if (rows === null) return [];
  const wrong = padded.filter(({ id }) => {
    const found = streams.find((stream) => stream.id === id)?.frames?.payloads?.bytes;
    return found !== undefined && !rows.some((row) => found.every((bytes, i) => row[i] === bytes));
  });
  if (wrong.length === 0) return [];
  return [
    {
      ...{ code: 'compress_len_mismatch', severity: 'warning', path },
      message: `no row of /compress_len has the lengths of the pictures of ${wrong.map(({ id }) => id).join(', ')}`,
      advice:
        'take the pictures up to their last byte that is not zero, as was done here; some may be cut off',
    },
  ];
}

/** Of so many cameras, and lengths of them all. */
const mostLengths = { rows: 64, all: 16_000_000 };

/** Each row of an array of numbers; null where it holds none, or cannot be read, which is told. */
async function rowsOf(
  dataset: Hdf5Dataset,
  reading: StepReading,
): Promise<readonly ArrayLike<number>[] | null> {
  const { rows, rowElements: width } = dataset;
  if (!dataset.isNumeric || rows > mostLengths.rows || rows * width > mostLengths.all) return null;
  try {
    const all = toFloats(await dataset.readNumbers());
    return Array.from({ length: rows }, (_, row) => all.subarray(row * width, (row + 1) * width));
  } catch (thrown) {
    if (!(thrown instanceof AssayError)) throw thrown;
    reading.unread('compress_len', thrown);
    return null;
  }
}
