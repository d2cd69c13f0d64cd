import type { Hdf5File, Hdf5Group } from '@assay/hdf5';
import { AssayError } from '#core';
import type { Calibration, Outcome, Stream, StreamRole, TaskText } from '#core/episode';
import { unknownOutcome } from '#core/episode';
import { orNull } from '../../../shared/hdf5-file.ts';
import { arraysBelow, type FileArrays } from '../../../shared/step-arrays/file-arrays.ts';
import { checkSteps, StepReading } from '../../../shared/step-arrays/numeric-stream.ts';
import { clockOfSteps, durationOf } from '../../../shared/step-arrays/step-clock.ts';
import type { EpisodeOptions, EpisodeParts } from '../family.ts';
import { type CameraPlan, cameraStream, pictureKindOf } from '../picture-stream.ts';
import { asObject, jsonAttribute } from '../texts.ts';
import { type DemoFacts, demoFindings, rangeFindings } from './robomimic-demo-findings.ts';
import type { Environment } from './robomimic-environment.ts';
import { robomimicGrippers } from './robomimic-grippers.ts';
import type { DemoOutline, DemoStandard } from './robomimic-outline.ts';
import { robomimicUnit } from './robomimic-units.ts';

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
