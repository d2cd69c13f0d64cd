import type { Hdf5File, Hdf5Group } from '@assay/hdf5';
import { AssayError } from '#core';
import {
  type Calibration,
  type GripperConvention,
  type Outcome,
  type Stream,
  type StreamRole,
  type TaskText,
  type UnitOfMeasure,
  unknownOutcome,
} from '#core/episode';
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
import type { EpisodeOptions, EpisodeParts } from '../family.ts';
import { type CameraPlan, cameraStream, pictureKindOf } from '../picture-stream.ts';
import { asObject, jsonAttribute } from '../texts.ts';
import { type DemoFacts, demoFindings, rangeFindings } from './robomimic-demo-findings.ts';
import type { DemoOutline, DemoStandard } from './robomimic-outline.ts';

/** One demonstration of a file. */
export interface Demo {
  readonly file: Hdf5File;
  readonly data: Hdf5Group;
  readonly environment: Environment;
  readonly standard: DemoStandard;
  readonly outline: DemoOutline;
}

export async function camerasOfDemo(data: Hdf5Group, name: string, path: string): Promise<CameraPlan[]> {
  const demo = await data.group(name);
  return demo === null ? [] : camerasOf(await arraysBelow(demo, path));
}

export async function readDemo(demo: Demo, { pictures, rooms }: EpisodeOptions): Promise<EpisodeParts> {
  const { file, data, environment, standard, outline } = demo;
  const { name } = outline;
  const group = await data.group(name);
  const actions = await group?.dataset('actions');
  if (group === null || actions == null) {
    throw new AssayError('unreadable_input', `data/${name} has no actions`, {
      ...{ path: file.path, place: `data/${name}`, advice: 'record the demonstration again, or take it out' },
    });
  }
  const steps = actions.rows;
  checkSteps(steps, file.path);
  const reading = new StepReading(file.path, clockOfSteps(steps, environment.rate), null, rooms);
  const contents = await arraysBelow(group, file.path);
  const cameras = await camerasOf(contents);
  const streams: Stream[] = [];
  for (const [id, dataset] of contents.arrays) {
    if (isAside(id) || cameras.some((camera) => camera.id === id)) continue;
    streams.push(
      await reading.numeric({ id, role: roleOf(id), dataset, unit: robomimicUnit(id, environment) }),
    );
  }
  for (const camera of cameras) streams.push(await cameraStream(camera, reading, pictures));
  for (const [id, error] of contents.unread) if (!isAside(id)) reading.unread(id, error);
  const arrays = new Map([...contents.arrays].filter(([id]) => !isAside(id)));
  const names = new Set([...outline.members, ...[...outline.obs].map((one) => `obs/${one}`)]);
  const num_samples = await orNull(group.attributes.number('num_samples'));
  const isIntegerCount = (await orNull(group.attributes.isInteger('num_samples'))) === true;
  const facts: DemoFacts = { path: file.path, name, steps, num_samples, isIntegerCount, arrays, names };
  return {
    ...{ streams, duration_s: durationOf(steps, environment.rate), robot: environment.robot, rows: null },
    tasks: await tasksOf(group, environment),
    outcome: await outcomeOf(group, streams, environment),
    calibrations: await calibrationsOf(group, cameras),
    grippers: robomimicGrippers(streams, environment),
    findings: [...reading.findings, ...demoFindings(facts, standard), ...rangeFindings(facts, streams)],
  };
}

/** One row a demonstration, or the observations again one step later: named, and not read. */
function isAside(id: string): boolean {
  return /^(initial_state|next_obs)\//.test(id);
}

async function camerasOf({ arrays }: FileArrays): Promise<CameraPlan[]> {
  const cameras: CameraPlan[] = [];
  for (const [id, dataset] of arrays) {
    if (!/^obs\//.test(id)) continue;
    const pictures = await orNull(pictureKindOf(dataset, 'rgb8'));
    if (pictures === null) continue;
    cameras.push({ id, role: /depth|distance/i.test(id) ? 'depth' : 'camera', dataset, pictures });
  }
  return cameras;
}

/** First match counts; what no name tells is kept and not judged. */
const roles: readonly (readonly [RegExp, StreamRole])[] = [
  [/^(actions(_abs)?$|action_dict\/)/, 'action'],
  [/^rewards?$/, 'reward'],
  [/^dones?$|subtask_term_signals\//, 'annotation'],
  [/object|cube|target|^obs\/(last_)?actions?$|datagen_info\/(?!eef_pose)/, 'other'],
  [/effort|torque|force|wrench/, 'effort'],
  [/^states\/articulation\/|^robot_states$/, 'state'],
  [/^obs\/.*(joint|eef|ee_|gripper|proprio|robot\d|state|pos$|quat$|vel$)/, 'state'],
];

function roleOf(id: string): StreamRole {
  return roles.find(([pattern]) => pattern.test(id))?.[1] ?? 'other';
}

async function tasksOf(group: Hdf5Group, { instruction }: Environment): Promise<readonly TaskText[] | null> {
  const meta = await jsonAttribute(group, 'ep_meta');
  if (typeof meta?.lang === 'string') {
    return meta.lang.trim() === '' ? [] : [{ text: meta.lang, source: `ep_meta.lang of ${group.path}` }];
  }
  return instruction === null
    ? null
    : [{ text: instruction, source: 'problem_info.language_instruction of /data' }];
}

/** Isaac Lab says it; robosuite's sparse reward is 1 only at success. That neither is there is no failure. */
async function outcomeOf(
  group: Hdf5Group,
  streams: readonly Stream[],
  environment: Environment,
): Promise<Outcome> {
  const said = await orNull(group.attributes.number('success'));
  if (said !== null) {
    const value = said !== 0 ? 'success' : 'failure';
    return { value, evidence: 'declared', reason: `attribute success of ${group.path} is ${said !== 0}` };
  }
  const rewards = streams.find(({ id }) => id === 'rewards')?.series?.values;
  const isSparse = environment.has_sparse_reward ?? environment.maker === 'libero';
  if (rewards === undefined || !isSparse || !rewards.every((value) => value === 0 || value === 1)) {
    return unknownOutcome;
  }
  const at = rewards.indexOf(1);
  if (at < 0)
    return {
      ...unknownOutcome,
      reason: 'the sparse reward is 0 throughout, which may be a cut as well as a failure',
    };
  return { value: 'success', evidence: 'known_format', reason: `the sparse reward is 1 at step ${at}` };
}

/** camera_info as robomimic writes it: intrinsics and extrinsics of each camera. */
async function calibrationsOf(group: Hdf5Group, cameras: readonly CameraPlan[]): Promise<Calibration[]> {
  const info = await jsonAttribute(group, 'camera_info');
  return Object.entries(info ?? {}).flatMap(([camera, said]) => {
    const values: Record<string, readonly number[]> = {};
    for (const [key, value] of Object.entries(asObject(said) ?? {})) {
      const numbers = Array.isArray(value) ? value.flat(3) : [];
      if (numbers.length > 0 && numbers.every((one) => typeof one === 'number')) values[key] = numbers;
    }
    const ids = ['', '_image', '_rgb', '_depth'].map((kind) => `obs/${camera}${kind}`);
    const target = cameras.find(({ id }) => ids.includes(id))?.id ?? camera;
    const source = `camera_info of ${group.path}`;
    return Object.keys(values).length === 0 ? [] : [{ target, model: null, source, values }];
  });
}

const observed = 'robosuite observes in the units of MuJoCo';
/** What robosuite, and LIBERO on it, writes; first match counts. */
const rows: readonly (readonly [pattern: RegExp, unit: string, reason: string])[] = [
  [/^actions$/, 'normalised', 'robosuite takes actions in -1..1 and scales them to the controller'],
  [/^obs\/(robot\d_(eef|ee)_pos|ee_pos)$/, 'm', observed],
  [/^obs\/(robot\d_gripper_qpos|gripper_states)$/, 'm', observed],
  [/^obs\/(robot\d_joint_pos|joint_states)$/, 'rad', observed],
  [/^obs\/robot\d_joint_vel$/, 'rad/s', observed],
];

/** The unit of an array, where who made the file fixes it. */
function robomimicUnit(id: string, { maker }: Environment): UnitOfMeasure {
  if (maker !== 'robosuite' && maker !== 'libero') return noUnit;
  const row = rows.find(([pattern]) => pattern.test(id));
  return row === undefined ? noUnit : { unit: row[1], evidence: 'known_format', reason: row[2] };
}

const command: KnownGripper = {
  unit: '-1..1 command',
  open_value: -1,
  range: [-1, 1],
  reason: 'robosuite and LIBERO: -1 opens, +1 closes',
};

const fingers: KnownGripper = {
  unit: 'm',
  open_value: null,
  range: [-0.2, 0.2],
  reason: 'robosuite: positions of the finger joints in metres; how far open is depends on the gripper',
};

/** Isaac Lab's binary gripper opens on positive values, robosuite's on negative: never taken from one to the other. */
function robomimicGrippers(streams: readonly Stream[], { maker }: Environment): GripperConvention[] {
  const isRobosuite = maker === 'robosuite' || maker === 'libero';
  return streams.flatMap((stream) => {
    const dims = stream.series?.dims ?? 0;
    if (stream.id === 'actions')
      return isRobosuite ? commandsOf(dims).map((at) => gripperOf(stream, at, command)) : [];
    const isGripper = /^obs\/.*(gripper|finger)/.test(stream.id) && !/vel|effort|force/.test(stream.id);
    if (!isGripper || stream.role !== 'state' || dims > 4) return [];
    const known = isRobosuite && /gripper_(qpos|states)$/.test(stream.id) ? fingers : null;
    return Array.from({ length: dims }, (_, at) => gripperOf(stream, at, known));
  });
}

/** robosuite puts the gripper last, an arm: six of a pose and one, or that twice. */
function commandsOf(dims: number): readonly number[] {
  return dims === 7 ? [6] : dims === 14 ? [6, 13] : [];
}

/** What the file says of the simulator or robot that its demonstrations come from. */
interface Environment {
  readonly name: string | null;
  /**
   * Who made it, as far as that fixes conventions: robosuite by type 1 of env_args (robomimic's EnvType), LIBERO by its
   * tag, Isaac Lab by the names of its environments.
   */
  readonly maker: 'robosuite' | 'libero' | 'isaac' | null;
  readonly rate: KnownRate | null;
  readonly robot: string | null;
  /** Rewards are 1 at success and 0 elsewhere, by the environment's own setting; null where nobody says. */
  readonly has_sparse_reward: boolean | null;
  /** Task of all demonstrations (LIBERO keeps one a file). */
  readonly instruction: string | null;
}

export async function environmentOf(data: Hdf5Group): Promise<Environment> {
  const args = await jsonAttribute(data, 'env_args');
  const kwargs = asObject(args?.env_kwargs);
  const problem = await jsonAttribute(data, 'problem_info');
  const tag = await orNull(data.attributes.text('tag'));
  const named = args?.env_name ?? (await orNull(data.attributes.text('env_name')));
  const name = typeof named === 'string' ? named : null;
  const shaping = kwargs?.reward_shaping;
  return {
    name,
    maker: makerOf(name, tag, problem !== null, args?.type),
    rate: rateOf(args, kwargs),
    robot: robotOf(kwargs?.robots),
    has_sparse_reward: typeof shaping === 'boolean' ? !shaping : null,
    instruction: instructionOf(problem),
  };
}

function makerOf(
  name: string | null,
  tag: string | null,
  hasProblem: boolean,
  type: unknown,
): Environment['maker'] {
  if (/^libero/i.test(tag ?? '') || hasProblem) return 'libero';
  if (type === 1) return 'robosuite';
  return /^Isaac-/.test(name ?? '') ? 'isaac' : null;
}

function rateOf(
  args: Record<string, unknown> | null,
  kwargs: Record<string, unknown> | null,
): KnownRate | null {
  const hz = kwargs?.control_freq;
  if (isRate(hz)) return { hz, source: 'env_kwargs.control_freq of env_args' };
  const simulated = asObject(args?.sim_args);
  const [dt, decimation] = [simulated?.dt, simulated?.decimation];
  if (typeof dt !== 'number' || typeof decimation !== 'number') return null;
  const step_hz = 1 / (dt * decimation);
  return isRate(step_hz) ? { hz: step_hz, source: 'sim_args of env_args: dt times decimation' } : null;
}

function isRate(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value < 10_000;
}

function robotOf(robots: unknown): string | null {
  const names = Array.isArray(robots) ? robots : [robots];
  const known = names.filter((name) => typeof name === 'string' && name !== '');
  return known.length === 0 ? null : known.slice(0, 4).join(' + ');
}

/** LIBERO writes the sentence as a text, or as its words. */
function instructionOf(problem: Record<string, unknown> | null): string | null {
  const value = problem?.language_instruction;
  const text = Array.isArray(value) ? value.join(' ') : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim().replace(/^"|"$/g, '') : null;
}
