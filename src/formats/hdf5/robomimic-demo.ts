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
import { asObject, jsonAttribute } from './attributes.ts';
import type { EpisodeOptions, EpisodeParts } from './family.ts';
import { type CameraPlan, cameraStream, detectPictureKind } from './picture-stream.ts';
import {
  type DemoFacts,
  type DemoOutline,
  type DemoStandard,
  demoFindings,
  rangeFindings,
} from './robomimic-demo-findings.ts';

/** One demonstration of a file. */
export interface Demo {
  readonly file: Hdf5File;
  readonly data: Hdf5Group;
  readonly environment: Environment;
  readonly standard: DemoStandard;
  readonly outline: DemoOutline;
}

/** Returns the arrays below `obs` of a demonstration that hold images; none if the demonstration does not exist. */
export async function findDemoCameras(data: Hdf5Group, name: string, path: string): Promise<CameraPlan[]> {
  const demo = await data.group(name);
  return demo === null ? [] : findCameras(await listArrays(demo, path));
}

/**
 * Reads one demonstration with its streams, outcome and findings; throws `unreadable_input` if it has no actions.
 * Arrays that cannot be read become findings.
 */
export async function readDemo(demo: Demo, { pictures, pool }: EpisodeOptions): Promise<EpisodeParts> {
  const { file, data, environment, standard, outline } = demo;
  const { name } = outline;
  const group = await data.group(name);
  const actions = await group?.dataset('actions');
  if (group === null || actions == null) {
    throw new AssayError('unreadable_input', `data/${name} has no actions`, {
      ...{ path: file.path, place: `data/${name}`, advice: 'record the demonstration again, or remove it' },
    });
  }
  const steps = actions.rows;
  assertStepCount(steps, file.path);
  const reading = new StepArrayReader(file.path, createStepClock(steps, environment.rate), null, pool);
  const contents = await listArrays(group, file.path);
  const cameras = await findCameras(contents);
  const streams: Stream[] = [];
  for (const [id, dataset] of contents.arrays) {
    if (isUnreadArray(id) || cameras.some((camera) => camera.id === id)) continue;
    streams.push(
      await reading.readStream({ id, role: streamRole(id), dataset, unit: robomimicUnit(id, environment) }),
    );
  }
  for (const camera of cameras) streams.push(await cameraStream(camera, reading, pictures));
  for (const [id, error] of contents.unread) if (!isUnreadArray(id)) reading.addUnreadable(id, error);
  const arrays = new Map([...contents.arrays].filter(([id]) => !isUnreadArray(id)));
  const names = new Set([...outline.members, ...[...outline.obs].map((element) => `obs/${element}`)]);
  const num_samples = await nullIfUnreadable(group.attributes.number('num_samples'));
  const isIntegerCount = (await nullIfUnreadable(group.attributes.isInteger('num_samples'))) === true;
  const facts: DemoFacts = { path: file.path, name, steps, num_samples, isIntegerCount, arrays, names };
  return {
    ...{
      streams,
      duration_s: computeDuration(steps, environment.rate),
      robot: environment.robot,
      rows: null,
    },
    tasks: await readTaskTexts(group, environment),
    outcome: await readOutcome(group, streams, environment),
    calibrations: await readCalibrations(group, cameras),
    grippers: robomimicGrippers(streams, environment),
    findings: [...reading.findings, ...demoFindings(facts, standard), ...rangeFindings(facts, streams)],
  };
}

/**
 * Returns true for arrays with one row per demonstration and for next_obs, which repeats obs one step later; they are
 * not read.
 */
function isUnreadArray(id: string): boolean {
  return /^(initial_state|next_obs)\//.test(id);
}

async function findCameras({ arrays }: FileArrays): Promise<CameraPlan[]> {
  const cameras: CameraPlan[] = [];
  for (const [id, dataset] of arrays) {
    if (!/^obs\//.test(id)) continue;
    const pictures = await nullIfUnreadable(detectPictureKind(dataset, 'rgb8'));
    if (pictures === null) continue;
    cameras.push({ id, role: /depth|distance/i.test(id) ? 'depth' : 'camera', dataset, pictures });
  }
  return cameras;
}

/** Stream roles by path; the first match counts. Other arrays have the role `other` and are not checked. */
const roles: readonly (readonly [RegExp, StreamRole])[] = [
  [/^(actions(_abs)?$|action_dict\/)/, 'action'],
  [/^rewards?$/, 'reward'],
  [/^dones?$|subtask_term_signals\//, 'annotation'],
  [/object|cube|target|^obs\/(last_)?actions?$|datagen_info\/(?!eef_pose)/, 'other'],
  [/effort|torque|force|wrench/, 'effort'],
  [/^states\/articulation\/|^robot_states$/, 'state'],
  [/^obs\/.*(joint|eef|ee_|gripper|proprio|robot\d|state|pos$|quat$|vel$)/, 'state'],
];

function streamRole(id: string): StreamRole {
  return roles.find(([pattern]) => pattern.test(id))?.[1] ?? 'other';
}

async function readTaskTexts(
  group: Hdf5Group,
  { instruction }: Environment,
): Promise<readonly TaskText[] | null> {
  const meta = await jsonAttribute(group, 'ep_meta');
  if (typeof meta?.lang === 'string') {
    return meta.lang.trim() === '' ? [] : [{ text: meta.lang, source: `ep_meta.lang of ${group.path}` }];
  }
  return instruction === null
    ? null
    : [{ text: instruction, source: 'problem_info.language_instruction of /data' }];
}

/**
 * Returns the outcome: Isaac Lab's attribute `success`, else success if a sparse reward reaches 1. Otherwise it is
 * unknown: a missing reward may also mean that the recording was cut.
 */
async function readOutcome(
  group: Hdf5Group,
  streams: readonly Stream[],
  environment: Environment,
): Promise<Outcome> {
  const success = await nullIfUnreadable(group.attributes.number('success'));
  if (success !== null) {
    const value = success !== 0 ? 'success' : 'failure';
    return { value, evidence: 'declared', reason: `attribute success of ${group.path} is ${success !== 0}` };
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
      reason: 'the sparse reward is always 0: either the task failed or the recording was cut before the end',
    };
  return { value: 'success', evidence: 'known_format', reason: `the sparse reward is 1 at step ${at}` };
}

/** Reads camera_info as written by robomimic: intrinsics and extrinsics of each camera. */
async function readCalibrations(group: Hdf5Group, cameras: readonly CameraPlan[]): Promise<Calibration[]> {
  const info = await jsonAttribute(group, 'camera_info');
  return Object.entries(info ?? {}).flatMap(([camera, json]) => {
    const values: Record<string, readonly number[]> = {};
    for (const [key, value] of Object.entries(asObject(json) ?? {})) {
      const numbers = Array.isArray(value) ? value.flat(3) : [];
      if (numbers.length > 0 && numbers.every((element) => typeof element === 'number'))
        values[key] = numbers;
    }
    const ids = ['', '_image', '_rgb', '_depth'].map((kind) => `obs/${camera}${kind}`);
    const target = cameras.find(({ id }) => ids.includes(id))?.id ?? camera;
    const source = `camera_info of ${group.path}`;
    return Object.keys(values).length === 0 ? [] : [{ target, model: null, source, values }];
  });
}

const mujocoReason = 'robosuite observations are in MuJoCo units';
/** Units of arrays that robosuite and LIBERO write; the first match counts. */
const unitRules: readonly (readonly [pattern: RegExp, unit: string, reason: string])[] = [
  [/^actions$/, 'normalised', 'robosuite takes actions in -1..1 and scales them to the controller range'],
  [/^obs\/(robot\d_(eef|ee)_pos|ee_pos)$/, 'm', mujocoReason],
  [/^obs\/(robot\d_gripper_qpos|gripper_states)$/, 'm', mujocoReason],
  [/^obs\/(robot\d_joint_pos|joint_states)$/, 'rad', mujocoReason],
  [/^obs\/robot\d_joint_vel$/, 'rad/s', mujocoReason],
];

/** Returns the unit of an array for robosuite and LIBERO; no unit for other makers. */
function robomimicUnit(id: string, { maker }: Environment): UnitOfMeasure {
  if (maker !== 'robosuite' && maker !== 'libero') return noUnit;
  const row = unitRules.find(([pattern]) => pattern.test(id));
  return row === undefined ? noUnit : { unit: row[1], evidence: 'known_format', reason: row[2] };
}

const commandGripper: GripperLayout = {
  unit: '-1..1 command',
  open_value: -1,
  range: [-1, 1],
  reason: 'robosuite and LIBERO: -1 opens, +1 closes',
};

const fingerGripper: GripperLayout = {
  unit: 'm',
  open_value: null,
  range: [-0.2, 0.2],
  reason: 'robosuite: finger joint positions in m; the fully open value depends on the gripper',
};

/**
 * Returns the gripper conventions. Isaac Lab's binary gripper opens on positive values and robosuite's on negative
 * ones, so one is never applied to the other.
 */
function robomimicGrippers(streams: readonly Stream[], { maker }: Environment): GripperConvention[] {
  const isRobosuite = maker === 'robosuite' || maker === 'libero';
  return streams.flatMap((stream) => {
    const dims = stream.series?.dims ?? 0;
    if (stream.id === 'actions')
      return isRobosuite ? gripperIndices(dims).map((at) => describeGripper(stream, at, commandGripper)) : [];
    const isGripper = /^obs\/.*(gripper|finger)/.test(stream.id) && !/vel|effort|force/.test(stream.id);
    if (!isGripper || stream.role !== 'state' || dims > 4) return [];
    const known = isRobosuite && /gripper_(qpos|states)$/.test(stream.id) ? fingerGripper : null;
    return Array.from({ length: dims }, (_, at) => describeGripper(stream, at, known));
  });
}

/** Returns the indices of gripper commands: robosuite puts them last for each arm, after six pose values. */
function gripperIndices(dims: number): readonly number[] {
  return dims === 7 ? [6] : dims === 14 ? [6, 13] : [];
}

/** Simulator or robot of the demonstrations, by the file's attributes. */
interface Environment {
  readonly name: string | null;
  /**
   * Software whose conventions apply: robosuite by type 1 in env_args (robomimic's EnvType), LIBERO by its tag, Isaac
   * Lab by the names of its environments.
   */
  readonly maker: 'robosuite' | 'libero' | 'isaac' | null;
  readonly rate: StepRate | null;
  readonly robot: string | null;
  /** True if the environment's settings make rewards 1 at success and 0 elsewhere; `null` if unknown. */
  readonly has_sparse_reward: boolean | null;
  /** Task of all demonstrations (LIBERO has one per file). */
  readonly instruction: string | null;
}

/** Reads simulator, robot, rate and task from the attributes of /data; what they do not say is `null`. */
export async function readEnvironment(data: Hdf5Group): Promise<Environment> {
  const args = await jsonAttribute(data, 'env_args');
  const kwargs = asObject(args?.env_kwargs);
  const problem = await jsonAttribute(data, 'problem_info');
  const tag = await nullIfUnreadable(data.attributes.text('tag'));
  const named = args?.env_name ?? (await nullIfUnreadable(data.attributes.text('env_name')));
  const name = typeof named === 'string' ? named : null;
  const shaping = kwargs?.reward_shaping;
  return {
    name,
    maker: identifyMaker(name, tag, problem !== null, args?.type),
    rate: readRate(args, kwargs),
    robot: robotName(kwargs?.robots),
    has_sparse_reward: typeof shaping === 'boolean' ? !shaping : null,
    instruction: readInstruction(problem),
  };
}

function identifyMaker(
  name: string | null,
  tag: string | null,
  hasProblem: boolean,
  type: unknown,
): Environment['maker'] {
  if (/^libero/i.test(tag ?? '') || hasProblem) return 'libero';
  if (type === 1) return 'robosuite';
  return /^Isaac-/.test(name ?? '') ? 'isaac' : null;
}

function readRate(
  args: Record<string, unknown> | null,
  kwargs: Record<string, unknown> | null,
): StepRate | null {
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

function robotName(robots: unknown): string | null {
  const names = Array.isArray(robots) ? robots : [robots];
  const known = names.filter((name) => typeof name === 'string' && name !== '');
  return known.length === 0 ? null : known.slice(0, 4).join(' + ');
}

/** Returns the instruction, which LIBERO writes as a text or as a list of words. */
function readInstruction(problem: Record<string, unknown> | null): string | null {
  const value = problem?.language_instruction;
  const text = Array.isArray(value) ? value.join(' ') : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim().replace(/^"|"$/g, '') : null;
}
