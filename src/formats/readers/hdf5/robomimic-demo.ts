import type { Calibration, Finding, Outcome, Stream, StreamRole, TaskText } from '#episode';
import { unknownOutcome } from '#episode';
import { AssayError } from '#kernel';
import { type Hdf5Dataset, type Hdf5File, type Hdf5Group, orNull } from '../../hdf5/index.ts';
import { arraysBelow, type FileArrays, unevenArrays } from '../../step-arrays/file-arrays.ts';
import { checkSteps, StepReading } from '../../step-arrays/numeric-stream.ts';
import { clockOfSteps, durationOf } from '../../step-arrays/step-clock.ts';
import type { EpisodeOptions, EpisodeParts } from './family.ts';
import { type CameraPlan, cameraStream, pictureKindOf } from './picture-stream.ts';
import type { Environment } from './robomimic-environment.ts';
import { robomimicGrippers } from './robomimic-grippers.ts';
import { robomimicUnit } from './robomimic-units.ts';
import { asObject, jsonAttribute } from './texts.ts';

/** One demonstration of a file. */
export interface Demo {
  readonly file: Hdf5File;
  readonly data: Hdf5Group;
  readonly environment: Environment;
  readonly name: string;
}

/** Steps of a demonstration by its actions; null where it has none that can be read. */
export async function rowsOfDemo(data: Hdf5Group, name: string): Promise<number | null | 'no group'> {
  try {
    const demo = await data.group(name);
    if (demo === null) return 'no group';
    return (await demo.dataset('actions'))?.rows ?? null;
  } catch (thrown) {
    if (thrown instanceof AssayError) return null;
    throw thrown;
  }
}

export async function camerasOfDemo(data: Hdf5Group, name: string, path: string): Promise<CameraPlan[]> {
  const demo = await data.group(name);
  return demo === null ? [] : camerasOf(await arraysBelow(demo, path));
}

export async function readDemo(demo: Demo, { pictures, rooms }: EpisodeOptions): Promise<EpisodeParts> {
  const { file, data, environment, name } = demo;
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
  const perStep = [...contents.arrays].filter(([id]) => !isAside(id));
  return {
    ...{ streams, duration_s: durationOf(steps, environment.rate), robot: environment.robot, rows: null },
    tasks: await tasksOf(group, environment),
    outcome: await outcomeOf(group, streams, environment),
    calibrations: await calibrationsOf(group, cameras),
    grippers: robomimicGrippers(streams, environment),
    findings: [
      ...reading.findings,
      ...(await countFindings(demo, group, steps)),
      ...lengthFindings(demo, steps, perStep),
    ],
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

async function countFindings({ file, name }: Demo, group: Hdf5Group, steps: number): Promise<Finding[]> {
  const declared = await orNull(group.attributes.number('num_samples'));
  if (declared === steps) return [];
  const base = { code: 'metadata_count_mismatch', severity: 'warning', path: file.path } as const;
  if (declared === null) {
    const message = `data/${name} has no attribute num_samples, which robomimic's loader needs`;
    return [{ ...base, code: 'metadata_missing', message, advice: `set it to ${steps}` }];
  }
  return [
    {
      ...base,
      message: `data/${name} says num_samples=${declared}, its actions have ${steps} rows`,
      advice: 'correct the attribute, or record the demonstration again',
      evidence: { declared, found: steps },
    },
  ];
}

function lengthFindings({ file, name }: Demo, steps: number, arrays: [string, Hdf5Dataset][]): Finding[] {
  const uneven = unevenArrays(arrays, steps);
  if (uneven.length === 0) return [];
  const named = uneven.slice(0, 4).map(([id, rows]) => `${id} ${rows}`);
  return [
    {
      ...{ code: 'array_length_mismatch', severity: 'error', path: file.path },
      message: `data/${name} has ${steps} actions; not so many: ${named.join(', ')}${uneven.length > 4 ? ', …' : ''}`,
      advice: 'cut every array to the rows they share: robomimic fills what is missing with zeros',
      evidence: { steps, arrays: Object.fromEntries(uneven.slice(0, 20)) },
    },
  ];
}
