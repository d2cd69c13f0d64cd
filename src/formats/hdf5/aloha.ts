import { type Hdf5Dataset, type Hdf5File, toFloats } from '@assay/hdf5';
import { AssayError } from '#core';
import { type Finding, type Stream, type UnitOfMeasure, unknownOutcome } from '#core/episode';
import type { RowArray } from '../shared/arrays/row-array.ts';
import {
  assertStepCount,
  computeDuration,
  createStepClock,
  type FileArrays,
  listArrays,
  noUnit,
  StepArrayReader,
  type StepRate,
} from '../shared/arrays/step-arrays.ts';
import { describeGripper, type GripperLayout } from '../shared/grippers.ts';
import { nullIfUnreadable } from '../shared/hdf5-file.ts';
import { fileFindings, lengthFindings } from './aloha-findings.ts';
import { readTaskTexts } from './attributes.ts';
import type { AlohaOutline, EpisodeOptions, EpisodeParts, Hdf5Family, Hdf5Recording } from './family.ts';
import { type CameraPlan, cameraStream, detectPictureKind, readPicture } from './picture-stream.ts';

/**
 * ALOHA and ACT layout: one episode per file, the leader's joints in /action, measurements and camera images in
 * /observations.
 */
export const alohaFamily: Hdf5Family = {
  id: 'aloha',
  title: 'ALOHA and ACT: one file per episode with /action and /observations',
  open: async (file) => {
    const action = await file.root.dataset('action');
    const qpos = await file.root.dataset('observations/qpos');
    if (action === null || qpos === null || action.shape.length !== 2) return null;
    return openAloha(file, action);
  },
};

const programRate: StepRate = {
  hz: 50,
  source: 'the ALOHA recorder uses a constant DT = 0.02 s',
};

interface Aloha {
  readonly file: Hdf5File;
  readonly action: Hdf5Dataset;
  readonly contents: FileArrays;
  readonly cameras: readonly CameraPlan[];
  /** Value of the attribute `sim`; `null` if absent. */
  readonly isSimulated: boolean | null;
  readonly rate: StepRate | null;
  readonly outline: AlohaOutline;
}

async function openAloha(file: Hdf5File, action: Hdf5Dataset): Promise<Hdf5Recording> {
  const sim = await file.root.attributes.number('sim');
  const isSimulated = sim === null ? null : sim !== 0;
  const contents = await listArrays(file.root, file.path);
  const cameras = await findCameras(contents, isSimulated === true ? 'rgb8' : '8UC3');
  const rate = await readRate(file, action);
  const outline = await readOutline(file, action, contents, cameras);
  const aloha: Aloha = { file, action, contents, cameras, isSimulated, rate, outline };
  const pictures = new Set<RowArray>(cameras.map(({ dataset }) => dataset));
  const numbers = [...contents.arrays.values()].filter((dataset) => !pictures.has(dataset));
  return {
    family: alohaFamily.id,
    evidence: `/action (${action.shape.join(' x ')}) next to /observations/qpos`,
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
    picture: (_, channel, row) => readPicture(cameras, channel, row),
  };
}

/**
 * Returns the rate by an attribute that some forks write, else 50 Hz for the robot that the recording program was
 * written for, else `null`.
 */
async function readRate(file: Hdf5File, action: Hdf5Dataset): Promise<StepRate | null> {
  for (const name of ['fps', 'frequency', 'control_freq', 'hz']) {
    const hz = await nullIfUnreadable(file.root.attributes.number(name));
    if (hz !== null && hz > 0 && hz < 10_000) return { hz, source: `file attribute ${name}` };
  }
  return isAlohaArms(action) ? programRate : null;
}

const languageNames = ['language_raw', 'language_instruction', 'task', 'instruction'];

async function readEpisode(aloha: Aloha, { pictures, pool }: EpisodeOptions): Promise<EpisodeParts> {
  const { file, action, contents, cameras, rate, isSimulated } = aloha;
  const { reader } = aloha.outline;
  const steps = action.rows;
  assertStepCount(steps, file.path);
  const reading = new StepArrayReader(file.path, createStepClock(steps, rate), null, pool);
  const streams: Stream[] = [];
  for (const [id, dataset] of contents.arrays) {
    const role = streamRole(id);
    if (role === null || cameras.some((camera) => camera.id === id)) continue;
    const names = dataset.shape.length === 2 ? dimensionNamesOf(action, dataset) : null;
    streams.push(
      await reading.readStream({ id, role, dataset, names, unit: streamUnit(id, dataset, action) }),
    );
  }
  for (const camera of cameras) streams.push(await cameraStream(camera, reading, pictures));
  for (const [id, error] of contents.unread) reading.addUnreadable(id, error);
  const measured = [...contents.arrays].filter(([id]) => streamRole(id) !== null);
  const names = new Set([...contents.arrays.keys(), ...contents.unread.keys()]);
  const tasks = await readTaskTexts(file.root, languageNames, (name, error) =>
    reading.addUnreadable(name, error),
  );
  const compressed = pictures ? await compressFindings(contents, cameras, streams, reading) : [];
  return {
    ...{
      streams,
      duration_s: computeDuration(steps, rate),
      outcome: unknownOutcome,
      calibrations: [],
      rows: null,
    },
    tasks,
    robot: isAlohaArms(action) ? 'aloha' : null,
    grippers: streams.flatMap((stream) =>
      gripperDimensions(stream, action).map((dimension) =>
        describeGripper(stream, dimension.at, dimension.known),
      ),
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

/** Returns the role of an array, or `null` for arrays that are no streams. */
function streamRole(id: string): Stream['role'] | null {
  if (id === 'compress_len' || /^language|(^|\/)(task|instruction)$/.test(id)) return null;
  if (/^(base_)?action$/.test(id)) return 'action';
  if (/effort|torque|current/.test(id)) return 'effort';
  return /^observations\/(qpos|qvel|state|eef|ee_|joint|gripper|base|tracer)/.test(id) ? 'state' : 'other';
}

function streamUnit(id: string, dataset: Hdf5Dataset, action: Hdf5Dataset): UnitOfMeasure {
  return isAlohaArms(action) && dataset.shape[1] === 14 ? (alohaUnits[id] ?? noUnit) : noUnit;
}

/** Returns findings about conventions that the files leave open: action shift and colour order. */
function conventionFindings({ file, isSimulated, cameras }: Aloha): Finding[] {
  const { path } = file;
  const findings: Finding[] = [];
  if (isSimulated !== true) {
    findings.push({
      ...{ code: 'action_shift', severity: 'info', path },
      message:
        isSimulated === false
          ? 'recorded on a real robot: ACT trains each observation with the action one step earlier (max(0, t - 1)); Assay reads the arrays as stored, without this shift'
          : 'the sim attribute is missing; if this was recorded on a real robot, ACT trains each observation with the action one step earlier; Assay reads the arrays as stored, without this shift',
      advice: 'shift actions by one step when training on real-robot recordings, not on simulated ones',
      evidence: { shift_steps: isSimulated === false ? 1 : null },
    });
  }
  if (isSimulated !== true && cameras.length > 0) {
    findings.push({
      ...{ code: 'colour_order_unknown', severity: 'info', path },
      message: 'the colour order of the images (RGB or BGR) is not declared; they are read as stored',
      advice: 'look at an image (raw pixels are shown as BGR here) and use that colour order for training',
    });
  }
  return findings;
}

const imageFolder = 'observations/images/';
const isServedCamera = (id: string): boolean => id.startsWith(imageFolder) && !/depth/.test(id);

async function readOutline(
  file: Hdf5File,
  action: Hdf5Dataset,
  { arrays, unread }: FileArrays,
  cameras: readonly CameraPlan[],
): Promise<AlohaOutline> {
  const servedCameras = cameras.filter(({ id }) => isServedCamera(id));
  const says_encoded = ((await nullIfUnreadable(file.root.attributes.number('compress'))) ?? 0) !== 0;
  const has_encoded = servedCameras.some(({ pictures }) => pictures.kind !== 'raw');
  return {
    reader: says_encoded || has_encoded ? 'act-plus-plus' : 'act',
    declares_encoded: says_encoded,
    has_encoded,
    action: action.shape,
    qpos: arrays.get('observations/qpos')?.shape ?? [],
    cameras: [...arrays.keys(), ...unread.keys()]
      .filter(isServedCamera)
      .map((id) => id.slice(imageFolder.length)),
    sizes: Object.fromEntries(
      servedCameras.flatMap(({ id, pictures, dataset }) =>
        pictures.kind === 'raw' ? [[id.slice(imageFolder.length), dataset.shape.slice(1)]] : [],
      ),
    ),
  };
}

/** JOINT_NAMES in ALOHA's constants.py, followed by the gripper. */
const jointNames = ['waist', 'shoulder', 'elbow', 'forearm_roll', 'wrist_angle', 'wrist_rotate', 'gripper'];
const dimensionNames = ['left', 'right'].flatMap((arm) => jointNames.map((joint) => `${arm}_${joint}`));

/**
 * Returns true for two arms of six joints and a gripper each, the robot of the original layout; other widths are other
 * robots.
 */
function isAlohaArms(action: Hdf5Dataset): boolean {
  return action.shape[1] === dimensionNames.length;
}

/** Returns the dimension names of an array that covers both arms; `null` for other arrays. */
function dimensionNamesOf(action: Hdf5Dataset, dataset: Hdf5Dataset): readonly string[] | null {
  return isAlohaArms(action) && dataset.shape[1] === dimensionNames.length ? dimensionNames : null;
}

const positionUnit: UnitOfMeasure = {
  unit: 'mixed',
  evidence: 'known_format',
  reason: 'ALOHA: per arm, six joints in rad and a gripper from 0 (closed) to 1 (open)',
};

const alohaUnits: Readonly<Record<string, UnitOfMeasure>> = {
  action: positionUnit,
  'observations/qpos': positionUnit,
  'observations/qvel': {
    unit: 'mixed',
    evidence: 'known_format',
    reason: 'ALOHA: per arm, six joints in rad/s and the gripper speed in full openings per second',
  },
};

const knownGripper: GripperLayout = {
  unit: '0..1 of travel',
  open_value: 1,
  range: [-0.25, 1.25],
  reason: 'ALOHA normalises grippers to 0 (closed) to 1 (open); slightly lower or higher values occur',
};

/** Returns the gripper dimensions of the action and qpos streams; none unless they cover both arms. */
function gripperDimensions(stream: Stream, action: Hdf5Dataset): { at: number; known: GripperLayout }[] {
  if (!isAlohaArms(action) || !(stream.id === 'action' || stream.id === 'observations/qpos')) return [];
  return stream.series?.dims === dimensionNames.length
    ? [6, 13].map((at) => ({ at, known: knownGripper }))
    : [];
}

/** Finds the cameras below /observations: pixels, JPEG padded with zeros, or JPEG of variable length. */
async function findCameras({ arrays }: FileArrays, colours: 'rgb8' | '8UC3'): Promise<CameraPlan[]> {
  const cameras: CameraPlan[] = [];
  for (const [id, dataset] of arrays) {
    if (!/^observations\/.*(image|depth|cam)/.test(id)) continue;
    const pictures = await nullIfUnreadable(detectPictureKind(dataset, colours));
    const role = /depth/.test(id) ? 'depth' : 'camera';
    if (pictures !== null) cameras.push({ id, role, dataset, pictures });
  }
  return cameras;
}

/**
 * Compares /compress_len with the lengths of the images. It has one row per camera in the order of the writer's list,
 * which the file does not contain, so the lengths of each camera are compared with every row. Lengths are measured on
 * the images themselves, since no JPEG ends in zeros.
 */
async function compressFindings(
  { arrays }: FileArrays,
  cameras: readonly CameraPlan[],
  streams: readonly Stream[],
  reading: StepArrayReader,
): Promise<Finding[]> {
  const { path } = reading;
  const lengths = arrays.get('compress_len');
  const padded = cameras.filter(({ pictures }) => pictures.kind === 'padded');
  if (lengths === undefined || padded.length === 0) return [];
  const rows = await readRows(lengths, reading);
  if (rows === null) return [];
  const wrong = padded.filter(({ id }) => {
    const found = streams.find((stream) => stream.id === id)?.frames?.payloads?.bytes;
    return found !== undefined && !rows.some((row) => found.every((bytes, i) => row[i] === bytes));
  });
  if (wrong.length === 0) return [];
  return [
    {
      ...{ code: 'compress_len_mismatch', severity: 'warning', path },
      message: `/compress_len has no row with the image sizes of ${wrong.map(({ id }) => id).join(', ')}`,
      advice:
        'images were read up to their last nonzero byte, so some may be truncated; write compress_len for these cameras',
    },
  ];
}

/** Maximum number of rows (cameras) and of numbers in /compress_len. */
const maxLengths = { rows: 64, all: 16_000_000 };

/**
 * Reads an array of numbers row by row; `null` if it has no numbers or is too large, or if it cannot be read, which is
 * reported.
 */
async function readRows(
  dataset: Hdf5Dataset,
  reading: StepArrayReader,
): Promise<readonly ArrayLike<number>[] | null> {
  const { rows, rowElements: width } = dataset;
  if (!dataset.isNumeric || rows > maxLengths.rows || rows * width > maxLengths.all) return null;
  try {
    const all = toFloats(await dataset.readNumbers());
    return Array.from({ length: rows }, (_, row) => all.subarray(row * width, (row + 1) * width));
  } catch (thrown) {
    if (!(thrown instanceof AssayError)) throw thrown;
    reading.addUnreadable('compress_len', thrown);
    return null;
  }
}
