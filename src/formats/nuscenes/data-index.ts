import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { NumberColumn } from '../shared/number-column.ts';
import { type RecordPlace, readJsonList } from '../shared/text/json-list.ts';
import { nuScenesBreach } from './rules.ts';
import type { SmallTables } from './small-tables.ts';
import { tableFindings, textOf } from './small-tables.ts';

/** Where the measurements of each scene lie in sample_data.json. */
export interface DataIndex {
  places(scene: number): RecordPlace[];
  /** Bytes of the records of a scene, and of the files they name. */
  bytes(scene: number): { readonly records: number; readonly files: number };
  readonly findings: readonly Finding[];
}

/** Files that are named and not there, with a few examples. */
interface Absent {
  count: number;
  readonly folders: Map<string, number>;
  readonly examples: string[];
}

/** Walks sample_data.json once; of each record only its place and scene stay. */
export async function indexSampleData(
  tree: SourceTree,
  version: string,
  { scenes, samples, sampleNumbers, mounts }: SmallTables,
): Promise<DataIndex> {
  const path = `${version}/sample_data.json`;
  const [scene, offset, length] = [new NumberColumn(), new NumberColumn(), new NumberColumn()];
  const absent: Absent = { count: 0, folders: new Map(), examples: [] };
  const files = new Float64Array(scenes.length);
  const broken = { mounts: 0, keyframes: 0 };
  let orphans = 0;
  let timeless = 0;
  const list = await readJsonList(tree, path, (record, place) => {
    const sample = sampleNumbers.get(textOf(record, 'sample_token'));
    const of = sample === undefined ? -1 : samples[sample].scene;
    const mount = mounts.get(textOf(record, 'calibrated_sensor_token'));
    if (mount?.has_sensor !== true) broken.mounts++;
    else if (sample === undefined && record.is_key_frame === true) broken.keyframes++;
    if (of < 0 || mount === undefined) {
      orphans++;
      return;
    }
    if (!Number.isSafeInteger(record.timestamp)) {
      timeless++;
      return;
    }
    scene.push(of);
    offset.push(place.offset);
    length.push(place.bytes);
    const name = textOf(record, 'filename');
    const entry = tree.entry(name);
    if (entry === undefined) noteAbsent(absent, name);
    else files[of] += entry.bytes;
  });
  const { starts, order } = byScene(scene, scenes.length);
  const findings = [
    ...tableFindings(path, list),
    ...referenceFinding(path, broken),
    ...orphanFinding(path, orphans),
    ...timelessFinding(path, timeless),
    ...absentFinding(path, absent, list.records),
  ];
  const places = (of: number): RecordPlace[] =>
    [...order.subarray(starts[of], starts[of + 1])].map((i) => ({
      offset: offset.at(i),
      bytes: length.at(i),
    }));
  const bytes = (of: number) => ({
    records: places(of).reduce((sum, place) => sum + place.bytes, 0),
    files: files[of],
  });
  return { places, bytes, findings };
}

/** Rows sorted by scene: those of scene s are `order[starts[s]] … order[starts[s + 1] - 1]`, in the order of the file. */
function byScene(scene: NumberColumn, scenes: number): { starts: Uint32Array; order: Uint32Array } {
  const starts = new Uint32Array(scenes + 1);
  for (let i = 0; i < scene.length; i++) starts[scene.at(i) + 1]++;
  for (let s = 1; s <= scenes; s++) starts[s] += starts[s - 1];
  const next = starts.slice();
  const order = new Uint32Array(scene.length);
  for (let i = 0; i < scene.length; i++) order[next[scene.at(i)]++] = i;
  return { starts, order };
}

function noteAbsent(absent: Absent, name: string): void {
  absent.count++;
  const folder = name.split('/').slice(0, 2).join('/');
  if (absent.folders.size < 64 || absent.folders.has(folder))
    absent.folders.set(folder, (absent.folders.get(folder) ?? 0) + 1);
  if (absent.examples.length < 3) absent.examples.push(name);
}

function absentFinding(path: string, { count, folders, examples }: Absent, records: number): Finding[] {
  if (count === 0) return [];
  const most = [...folders].sort((a, b) => b[1] - a[1]).slice(0, 3);
  const message = `${count} of ${records} files named by ${path} are not there (${examples.join(', ')}); most of them in ${most
    .map(([folder, of]) => `${folder}: ${of}`)
    .join(', ')}`;
  const evidence = { named: records, absent: count, folders: Object.fromEntries(most) };
  return [nuScenesBreach('files_missing', path, message, evidence)];
}

function timelessFinding(path: string, timeless: number): Finding[] {
  if (timeless === 0) return [];
  return [
    {
      code: 'records_without_time',
      severity: 'error',
      path,
      message: `${timeless} records of ${path} have no timestamp in whole µs and are left out`,
      advice: 'unpack the tables again',
      evidence: { records: timeless },
    },
  ];
}

function orphanFinding(path: string, orphans: number): Finding[] {
  if (orphans === 0) return [];
  const message = `${orphans} records of ${path} name a sample, scene or calibrated sensor that no table holds`;
  return [nuScenesBreach('records_without_scene', path, message, { records: orphans })];
}

function referenceFinding(
  path: string,
  { mounts, keyframes }: { mounts: number; keyframes: number },
): Finding[] {
  if (mounts + keyframes === 0) return [];
  const message = `${path}: ${mounts} records lead to no sensor, ${keyframes} keyframes to no sample`;
  return [nuScenesBreach('nuscenes_reference_broken', path, message, { mounts, keyframes })];
}
