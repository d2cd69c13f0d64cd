import { type Hdf5File, Hdf5Group } from '@assay/hdf5';
import type { Finding } from '#core/episode';
import { nullIfUnreadable } from '../shared/hdf5-file.ts';
import { jsonAttribute } from './attributes.ts';
import type { Hdf5Family, Hdf5Recording } from './family.ts';
import { readPicture } from './picture-stream.ts';
import { findDemoCameras, readDemo, readEnvironment } from './robomimic-demo.ts';
import { computeStandard, type DemoOutline, readOutline } from './robomimic-demo-findings.ts';
import { robomimicViolation } from './robomimic-rules.ts';

/**
 * robomimic layout: demonstrations data/demo_0, data/demo_1, … in one file, as robosuite, LIBERO and Isaac Lab write
 * them.
 */
export const robomimicFamily: Hdf5Family = {
  id: 'robomimic',
  title: 'robomimic, LIBERO and Isaac Lab: demonstrations data/demo_<number>',
  open: async (file) => {
    const data = await file.root.group('data');
    if (data === null) return null;
    const names = [...(await data.links())].flatMap(([name, { kind }]) => (kind === 'hard' ? [name] : []));
    for (const name of names.slice(0, 16)) {
      const demo = await nullIfUnreadable(data.open(name));
      if (demo instanceof Hdf5Group && (await hasSteps(demo))) return openRobomimic(file, data, names);
    }
    return null;
  },
};

async function hasSteps(demo: Hdf5Group): Promise<boolean> {
  const links = await demo.links();
  return links.has('actions') && (links.has('obs') || links.has('states'));
}

async function openRobomimic(
  file: Hdf5File,
  data: Hdf5Group,
  names: readonly string[],
): Promise<Hdf5Recording> {
  const sorted = names.toSorted((a, b) => demoNumber(a) - demoNumber(b) || (a < b ? -1 : 1));
  const environment = await readEnvironment(data);
  const outlines: DemoOutline[] = [];
  for (const name of sorted) {
    const outline = await readOutline(data, name);
    if (outline !== null) outlines.push(outline);
  }
  const demos = outlines.map(({ name }) => name);
  const steps = outlines.reduce((sum, { rows }) => sum + (rows ?? 0), 0);
  const standard = await computeStandard(data, outlines, file.path);
  const total = await nullIfUnreadable(data.attributes.number('total'));
  const cameras = (await nullIfUnreadable(findDemoCameras(data, demos[0], file.path))) ?? [];
  const rowBytes = await stepBytes(data, demos[0]);
  return {
    family: robomimicFamily.id,
    evidence: `/data has ${demos.length} demonstrations (${demos[0]}, …), each with actions`,
    declared_frames: total,
    declared_rate_hz: environment.rate?.hz ?? null,
    robot: environment.robot,
    cameras: cameras.map(({ id }) => id),
    findings: [
      ...file.findings,
      ...totalFindings(file.path, total, steps, demos.length),
      ...nameFindings(file.path, [...(await data.links()).keys()]),
      ...(await fileFindings(file.path, data, outlines)),
      ...unreadArrayFindings(file.path, await readMembers(data, demos[0])),
      ...(await maskFindings(file, demos)),
    ],
    conventions: [],
    episodes: demos,
    look_bytes: steps * rowBytes,
    read: (position, options) =>
      readDemo({ file, data, environment, standard, outline: outlines[position] }, options),
    picture: async (position, channel, row) =>
      readPicture(await findDemoCameras(data, demos[position], file.path), channel, row),
  };
}

async function readMembers(data: Hdf5Group, name: string): Promise<Iterable<string>> {
  const demo = await nullIfUnreadable(data.group(name));
  return demo === null ? [] : (await demo.links()).keys();
}

/** Estimates the bytes of one step without images. */
async function stepBytes(data: Hdf5Group, name: string): Promise<number> {
  const actions = await nullIfUnreadable(data.dataset(`${name}/actions`));
  const states = await nullIfUnreadable(data.dataset(`${name}/states`));
  return (actions?.rowBytes ?? 0) * 8 + (states?.rowBytes ?? 0);
}

/** Returns the number after `demo_`, by which robomimic sorts; names without one come last. */
function demoNumber(name: string): number {
  const digits = /^demo_(\d{1,15})$/.exec(name)?.[1];
  return digits === undefined ? Number.MAX_SAFE_INTEGER : Number(digits);
}

function totalFindings(path: string, total: number | null, steps: number, demos: number): Finding[] {
  if (total === null || total === steps) return [];
  return [
    {
      ...{ code: 'metadata_count_mismatch', severity: 'warning', path },
      message: `${path}: the attribute total of /data is ${total}, but its ${demos} demonstrations have ${steps} steps`,
      advice: 'look for missing demonstrations, or correct the attribute total',
      evidence: { declared: total, found: steps },
    },
  ];
}

/** Names that robomimic accepts: Python's int() must accept the text after the fifth character. */
const numberedName = /^[\s\S]{5}\s*[+-]?\d+(_\d+)*\s*$/;

/**
 * Reports names without a number.
 * @param names everything below /data, demonstrations or not
 */
function nameFindings(path: string, names: readonly string[]): Finding[] {
  const unnumbered = names.filter((name) => !numberedName.test(name));
  if (unnumbered.length === 0) return [];
  const message = `${path}: ${unnumbered.length} of ${names.length} names in /data are not demo_ followed by a number: ${unnumbered.slice(0, 4).join(', ')}`;
  return [robomimicViolation('robomimic_demo_name', path, message, { names: unnumbered.slice(0, 20) })];
}

/** Reports violations of robomimic's requirements on the file, other than names and masks. */
async function fileFindings(
  path: string,
  data: Hdf5Group,
  outlines: readonly DemoOutline[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const add = (id: Parameters<typeof robomimicViolation>[0], message: string) =>
    findings.push(robomimicViolation(id, path, `${path}: ${message}`));
  if ((await jsonAttribute(data, 'env_args')) === null)
    add('robomimic_env_args_missing', '/data has no attribute env_args with a JSON object');
  const withoutActions = outlines.filter(({ rows, hasFlatActions }) => rows === null || hasFlatActions);
  if (withoutActions.length > 0)
    add(
      'robomimic_actions_missing',
      `${withoutActions.length} demonstrations have no 2-D array actions (steps x dimensions): ${listNames(withoutActions)}`,
    );
  const without = (name: string) => outlines.filter(({ members }) => !members.has(name));
  const lacking = ['rewards', 'dones', 'next_obs'].filter((name) => without(name).length > 0);
  if (lacking.length > 0) add('robomimic_transitions_missing', `demonstrations lack ${lacking.join(', ')}`);
  return findings;
}

const listNames = (demos: readonly DemoOutline[]) =>
  demos
    .slice(0, 4)
    .map(({ name }) => name)
    .join(', ');

/** Reports arrays of demonstrations that are not read. */
function unreadArrayFindings(path: string, members: Iterable<string>): Finding[] {
  const unread = [...members].filter((name) => name === 'initial_state' || name === 'next_obs');
  if (unread.length === 0) return [];
  return [
    {
      ...{ code: 'arrays_not_read', severity: 'info', path },
      message: `${path}: ${unread.join(' and ')} were not read in each demonstration: they have no rows of their own or repeat obs one step later`,
      advice: 'nothing to do',
    },
  ];
}

/** Reports the splits that masks declare, and compares them with the demonstrations. */
async function maskFindings(file: Hdf5File, demos: readonly string[]): Promise<Finding[]> {
  const group = await nullIfUnreadable(file.root.group('mask'));
  if (group === null) return [];
  const present = new Set(demos);
  const masks = await readMasks(group);
  const sizes = Object.fromEntries([...masks].map(([name, listed]) => [name, listed.size]));
  const findings: Finding[] = [];
  if (masks.size > 0) {
    findings.push({
      ...{ code: 'splits_declared', severity: 'info', path: file.path },
      message: `${file.path}: mask splits the demonstrations: ${Object.entries(sizes)
        .map(([name, count]) => `${name} ${count}`)
        .join(', ')}`,
      advice: 'train and validate with these splits',
      evidence: { splits: sizes },
    });
  }
  const missing = [...masks].flatMap(([name, listed]) =>
    [...listed].filter((demo) => !present.has(demo)).map((demo) => `${name}/${demo}`),
  );
  if (missing.length > 0) {
    const message = `${file.path}: masks list ${missing.length} demonstrations that do not exist: ${missing.slice(0, 4).join(', ')}`;
    findings.push(robomimicViolation('robomimic_mask_demo_absent', file.path, message));
  }
  const [train, valid] = [masks.get('train'), masks.get('valid')];
  const both = [...(train ?? [])].filter((demo) => valid?.has(demo));
  if (both.length > 0) {
    const message = `${file.path}: ${both.length} demonstrations are in both train and valid: ${both.slice(0, 4).join(', ')}`;
    findings.push(robomimicViolation('robomimic_masks_overlap', file.path, message));
  }
  return findings;
}

const maxMasks = 64;
const maxDemosPerMask = 1_000_000;

async function readMasks(group: Hdf5Group): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const masks = new Map<string, ReadonlySet<string>>();
  for (const name of [...(await group.links()).keys()].slice(0, maxMasks)) {
    const dataset = await nullIfUnreadable(group.dataset(name));
    if (dataset?.type.kind !== 'text' || dataset.rows > maxDemosPerMask) continue;
    const texts = await nullIfUnreadable(dataset.readTexts());
    if (texts !== null) masks.set(name, new Set(texts));
  }
  return masks;
}
