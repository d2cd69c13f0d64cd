import type { Hdf5Dataset, Hdf5File } from '@assay/hdf5';
import type { Finding, Stream, UnitOfMeasure } from '#core/episode';
import { unknownOutcome } from '#core/episode';
import { orNull } from '../../../shared/hdf5-file.ts';
import { arraysBelow, type FileArrays } from '../../../shared/step-arrays/file-arrays.ts';
import { gripperOf } from '../../../shared/step-arrays/grippers.ts';
import { checkSteps, noUnit, StepReading } from '../../../shared/step-arrays/numeric-stream.ts';
import { clockOfSteps, durationOf, type KnownRate } from '../../../shared/step-arrays/step-clock.ts';
import type { EpisodeOptions, EpisodeParts, Hdf5Family, Hdf5Recording } from '../family.ts';
import { type CameraPlan, cameraStream, pictureAt } from '../picture-stream.ts';
import { languageOf } from '../texts.ts';
import { alohaDimensions, alohaGripper, alohaUnits, isAlohaArms } from './aloha-arms.ts';
import { camerasOf, compressFindings } from './aloha-cameras.ts';
import { fileFindings, lengthFindings } from './aloha-findings.ts';
import type { AlohaOutline } from './aloha-outline.ts';
import { alohaOutline } from './read-aloha-outline.ts';

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
