import { type Hdf5File, Hdf5Group } from '@assay/hdf5';
import { orNull } from '../../../shared/hdf5-file.ts';
import type { Hdf5Family, Hdf5Recording } from '../family.ts';
import { pictureAt } from '../picture-stream.ts';
import { camerasOfDemo, readDemo } from './robomimic-demo.ts';
import { environmentOf } from './robomimic-environment.ts';
import {
  asideFindings,
  demoNumber,
  fileFindings,
  maskFindings,
  nameFindings,
  totalFindings,
} from './robomimic-findings.ts';
import { type DemoOutline, outlineOf, standardOf } from './robomimic-outline.ts';

/** Demonstrations side by side in one file: data/demo_0, data/demo_1, …; robosuite, LIBERO and Isaac Lab write so. */
export const robomimicFamily: Hdf5Family = {
  id: 'robomimic',
  title: 'robomimic, LIBERO and Isaac Lab: demonstrations data/demo_<number>',
  open: async (file) => {
    const data = await file.root.group('data');
    if (data === null) return null;
    const names = [...(await data.links())].flatMap(([name, { kind }]) => (kind === 'hard' ? [name] : []));
    for (const name of names.slice(0, 16)) {
      const demo = await orNull(data.open(name));
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
  const environment = await environmentOf(data);
  const outlines: DemoOutline[] = [];
  for (const name of sorted) {
    const outline = await outlineOf(data, name);
    if (outline !== null) outlines.push(outline);
  }
  const demos = outlines.map(({ name }) => name);
  const steps = outlines.reduce((sum, { rows }) => sum + (rows ?? 0), 0);
  const standard = await standardOf(data, outlines, file.path);
  const total = await orNull(data.attributes.number('total'));
  const cameras = (await orNull(camerasOfDemo(data, demos[0], file.path))) ?? [];
  const rowBytes = await numericBytes(data, demos[0]);
  return {
    family: robomimicFamily.id,
    evidence: `data holds ${demos.length} demonstrations (${demos[0]}, …), each with actions`,
    declared_frames: total,
    declared_rate_hz: environment.rate?.hz ?? null,
    robot: environment.robot,
    cameras: cameras.map(({ id }) => id),
    findings: [
      ...file.findings,
      ...totalFindings(file.path, total, steps, demos.length),
      ...nameFindings(file.path, [...(await data.links()).keys()]),
      ...(await fileFindings(file.path, data, outlines)),
      ...asideFindings(file.path, await membersOf(data, demos[0])),
      ...(await maskFindings(file, demos)),
    ],
    conventions: [],
    episodes: demos,
    look_bytes: steps * rowBytes,
    read: (position, options) =>
      readDemo({ file, data, environment, standard, outline: outlines[position] }, options),
    picture: async (position, channel, row) =>
      pictureAt(await camerasOfDemo(data, demos[position], file.path), channel, row),
  };
}

async function membersOf(data: Hdf5Group, name: string): Promise<Iterable<string>> {
  const demo = await orNull(data.group(name));
  return demo === null ? [] : (await demo.links()).keys();
}

/** What a step weighs, without pictures. */
async function numericBytes(data: Hdf5Group, name: string): Promise<number> {
  const actions = await orNull(data.dataset(`${name}/actions`));
  const states = await orNull(data.dataset(`${name}/states`));
  return (actions?.rowBytes ?? 0) * 8 + (states?.rowBytes ?? 0);
}
