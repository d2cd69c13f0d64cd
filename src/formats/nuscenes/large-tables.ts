import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { NumberColumn } from '../shared/numbers.ts';
import { type RecordLocation, readJsonList } from '../shared/text/json-list.ts';
import { nuScenesViolation } from './rules.ts';
import { type SmallTables, tableFindings, textField } from './small-tables.ts';

/** Index of the records of each scene in sample_data.json. */
export interface DataIndex {
  /** Returns the locations of the records of a scene in sample_data.json, in file order. */
  locations(scene: number): RecordLocation[];
  /** Returns the total size of a scene's records and of the files they name. */
  bytes(scene: number): { readonly records: number; readonly files: number };
  readonly findings: readonly Finding[];
}

/** Files that records name but that are missing, with examples. */
interface MissingFiles {
  count: number;
  readonly folders: Map<string, number>;
  readonly examples: string[];
}

/**
 * Reads sample_data.json once and indexes its records by scene; records without scene, sensor or integer timestamp are
 * left out and reported. Only location and scene of each record stay in memory.
 */
export async function indexSampleData(
  tree: SourceTree,
  version: string,
  { scenes, samples, sampleNumbers, mounts }: SmallTables,
): Promise<DataIndex> {
  const path = `${version}/sample_data.json`;
  const [scene, offset, length] = [new NumberColumn(), new NumberColumn(), new NumberColumn()];
  const missing: MissingFiles = { count: 0, folders: new Map(), examples: [] };
  const files = new Float64Array(scenes.length);
  const broken = { mounts: 0, keyframes: 0 };
  let orphans = 0;
  let untimed = 0;
  const list = await readJsonList(tree, path, (record, location) => {
    const sample = sampleNumbers.get(textField(record, 'sample_token'));
    const sceneIndex = sample === undefined ? -1 : samples[sample].scene;
    const mount = mounts.get(textField(record, 'calibrated_sensor_token'));
    if (mount?.has_sensor !== true) broken.mounts++;
    else if (sample === undefined && record.is_key_frame === true) broken.keyframes++;
    if (sceneIndex < 0 || mount === undefined) {
      orphans++;
      return;
    }
    if (!Number.isSafeInteger(record.timestamp)) {
      untimed++;
      return;
    }
    scene.push(sceneIndex);
    offset.push(location.offset);
    length.push(location.bytes);
    const name = textField(record, 'filename');
    const entry = tree.entry(name);
    if (entry === undefined) addMissing(missing, name);
    else files[sceneIndex] += entry.bytes;
  });
  const { starts, order } = groupByScene(scene, scenes.length);
  const findings = [
    ...tableFindings(path, list),
    ...referenceFindings(path, broken),
    ...orphanFindings(path, orphans),
    ...untimedFindings(path, untimed),
    ...missingFindings(path, missing, list.records),
  ];
  const locations = (sceneIndex: number): RecordLocation[] =>
    [...order.subarray(starts[sceneIndex], starts[sceneIndex + 1])].map((i) => ({
      offset: offset.at(i),
      bytes: length.at(i),
    }));
  const bytes = (sceneIndex: number) => ({
    records: locations(sceneIndex).reduce((sum, location) => sum + location.bytes, 0),
    files: files[sceneIndex],
  });
  return { locations: locations, bytes, findings };
}

/**
 * Sorts row numbers by scene, in file order within a scene.
 * Rows of scene s are `order.subarray(starts[s], starts[s + 1])`.
 */
function groupByScene(scene: NumberColumn, scenes: number): { starts: Uint32Array; order: Uint32Array } {
  const starts = new Uint32Array(scenes + 1);
  for (let i = 0; i < scene.length; i++) starts[scene.at(i) + 1]++;
  for (let s = 1; s <= scenes; s++) starts[s] += starts[s - 1];
  const next = starts.slice();
  const order = new Uint32Array(scene.length);
  for (let i = 0; i < scene.length; i++) order[next[scene.at(i)]++] = i;
  return { starts, order };
}

function addMissing(missing: MissingFiles, name: string): void {
  missing.count++;
  const folder = name.split('/').slice(0, 2).join('/');
  if (missing.folders.size < 64 || missing.folders.has(folder))
    missing.folders.set(folder, (missing.folders.get(folder) ?? 0) + 1);
  if (missing.examples.length < 3) missing.examples.push(name);
}

function missingFindings(
  path: string,
  { count, folders, examples }: MissingFiles,
  records: number,
): Finding[] {
  if (count === 0) return [];
  const largest = [...folders].sort((a, b) => b[1] - a[1]).slice(0, 3);
  const message = `${count} of ${records} files listed in ${path} are missing (${examples.join(', ')}); most of them in ${largest.map(([folder, sceneIndex]) => `${folder}: ${sceneIndex}`).join(', ')}`;
  const evidence = { named: records, absent: count, folders: Object.fromEntries(largest) };
  return [nuScenesViolation('files_missing', path, message, evidence)];
}

function untimedFindings(path: string, untimed: number): Finding[] {
  if (untimed === 0) return [];
  return [
    {
      code: 'records_without_time',
      severity: 'error',
      path,
      message: `${untimed} records of ${path} have no integer timestamp in µs and were left out`,
      advice: 'unpack the tables again',
      evidence: { records: untimed },
    },
  ];
}

function orphanFindings(path: string, orphans: number): Finding[] {
  if (orphans === 0) return [];
  const message = `${orphans} records of ${path} refer to a sample, scene or calibrated sensor that is in no table`;
  return [nuScenesViolation('records_without_scene', path, message, { records: orphans })];
}

function referenceFindings(
  path: string,
  { mounts, keyframes }: { mounts: number; keyframes: number },
): Finding[] {
  if (mounts + keyframes === 0) return [];
  const message = `${path}: ${mounts} records refer to no existing sensor, and ${keyframes} keyframes to no existing sample`;
  return [nuScenesViolation('nuscenes_reference_broken', path, message, { mounts, keyframes })];
}

/**
 * Index of the records of a large table by token, with three numbers per record. Only a hash of the token is stored, so
 * callers must compare the token of the record they read.
 */
export class TokenIndex {
  readonly #keys = new NumberColumn();
  readonly #offsets = new NumberColumn();
  readonly #bytes = new NumberColumn();
  #order: Uint32Array | null = null;

  /** Adds the location of the record with this token. */
  add(token: string, { offset, bytes }: RecordLocation): void {
    this.#keys.push(hashToken(token));
    this.#offsets.push(offset);
    this.#bytes.push(bytes);
    this.#order = null;
  }

  /** Returns the locations of records whose token has the same hash, nearly always one; empty if none has. */
  find(token: string): RecordLocation[] {
    const order = this.#sorted();
    const key = hashToken(token);
    let low = 0;
    let high = order.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#keys.at(order[middle]) < key) low = middle + 1;
      else high = middle;
    }
    const found: RecordLocation[] = [];
    for (; low < order.length && this.#keys.at(order[low]) === key; low++)
      found.push({ offset: this.#offsets.at(order[low]), bytes: this.#bytes.at(order[low]) });
    return found;
  }

  #sorted(): Uint32Array {
    this.#order ??= Uint32Array.from({ length: this.#keys.length }, (_, i) => i).sort(
      (a, b) => this.#keys.at(a) - this.#keys.at(b),
    );
    return this.#order;
  }
}

/** Returns a 52-bit hash built from two FNV-1a hashes. */
function hashToken(token: string): number {
  let low = 0x811c9dc5;
  let high = 0x01000193;
  for (let i = 0; i < token.length; i++) {
    const code = token.charCodeAt(i);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
  }
  return (high >>> 6) * 2 ** 26 + (low >>> 6);
}

/** Annotated boxes of a version. */
export interface Boxes {
  /** Number of boxes per sample; `null` if there are none at all. */
  readonly counts: Uint32Array | null;
  readonly findings: readonly Finding[];
  /**
   * Returns a finding for boxes of a scene with unknown instance or category, plus those with unknown sample, which may
   * belong to any scene.
   */
  brokenFindings(scene: number): Finding[];
}

/**
 * Returns the number of boxes per sample from sample_annotation.json, and findings about their references; counts are
 * `null` without boxes.
 */
export async function readBoxes(
  tree: SourceTree,
  version: string,
  { samples, sampleNumbers, scenes }: SmallTables,
): Promise<Boxes> {
  const path = `${version}/sample_annotation.json`;
  if (!tree.has(path)) return { counts: null, findings: [], brokenFindings: () => [] };
  const isValidInstance = await readValidInstances(tree, version);
  const counts = new Uint32Array(samples.length);
  const broken = new Uint32Array(scenes.length);
  let hasBoxes = false;
  let withoutSample = 0;
  const list = await readJsonList(tree, path, (record) => {
    const sample = sampleNumbers.get(textField(record, 'sample_token'));
    if (sample === undefined) {
      withoutSample++;
      return;
    }
    counts[sample]++;
    hasBoxes = true;
    const { scene } = samples[sample];
    if (scene >= 0 && !isValidInstance(textField(record, 'instance_token'))) broken[scene]++;
  });
  return {
    // The test split has an empty table, since its labels are not published.
    counts: hasBoxes ? counts : null,
    findings: tableFindings(path, list),
    brokenFindings: (scene) => {
      const boxes = broken[scene] + withoutSample;
      if (boxes === 0) return [];
      const message = `${boxes} boxes of ${path} refer to a sample, instance or category that is in no table`;
      return [
        nuScenesViolation('nuscenes_box_reference_broken', path, message, {
          boxes,
          sampleless: withoutSample,
        }),
      ];
    },
  };
}

/**
 * Returns a predicate for valid instance tokens. Without a table of instances or categories, the respective check is
 * skipped; missing tables are reported elsewhere.
 */
async function readValidInstances(tree: SourceTree, version: string): Promise<(token: string) => boolean> {
  const [path, categories] = [`${version}/instance.json`, `${version}/category.json`];
  if (!tree.has(path)) return () => true;
  const categoryTokens = new Set<string>();
  const hasCategories = tree.has(categories);
  if (hasCategories)
    await readJsonList(tree, categories, (record) => categoryTokens.add(textField(record, 'token')));
  const validInstances = new Set<string>();
  await readJsonList(tree, path, (record) => {
    if (!hasCategories || categoryTokens.has(textField(record, 'category_token')))
      validInstances.add(textField(record, 'token'));
  });
  return (token) => validInstances.has(token);
}
