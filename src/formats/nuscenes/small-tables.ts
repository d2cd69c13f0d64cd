import type { JsonObject, JsonValue } from '#core';
import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { readJsonList } from '../shared/text/json-list.ts';
import { nuScenesBreach } from './rules.ts';

interface Scene {
  readonly token: string;
  readonly name: string;
  readonly description: string;
  readonly log_token: string;
  readonly declared_samples: number;
}

/** A keyframe. */
interface Sample {
  /** Of its scene. */
  readonly scene: number;
  /** µs since the UNIX epoch. */
  readonly time_us: number;
}

/** A sensor as it was mounted on a day. */
export interface Mount {
  /** False: its sensor is in no table. */
  readonly has_sensor: boolean;
  readonly channel: string;
  readonly modality: string;
  readonly translation: readonly number[] | null;
  /** w, x, y, z. */
  readonly rotation: readonly number[] | null;
  /** 3×3 row by row; empty for what is no camera. */
  readonly intrinsic: readonly number[] | null;
}

/** What fits into memory of a version: all but the tables of every single measurement. */
export interface SmallTables {
  readonly scenes: readonly Scene[];
  readonly samples: readonly Sample[];
  readonly sampleNumbers: ReadonlyMap<string, number>;
  readonly mounts: ReadonlyMap<string, Mount>;
  /** Vehicle by token of its log. */
  readonly vehicles: ReadonlyMap<string, string>;
  readonly findings: readonly Finding[];
}

/** Reads scenes, keyframes, sensors and logs of a version. */
export async function readSmallTables(tree: SourceTree, version: string): Promise<SmallTables> {
  const findings: Finding[] = [];
  const read = async (name: string, onRecord: (record: JsonObject) => void): Promise<void> => {
    const path = `${version}/${name}.json`;
    if (!tree.has(path)) return;
    const tokens = new TokenCheck();
    const list = await readJsonList(tree, path, (record) => {
      tokens.add(textOf(record, 'token'));
      onRecord(record);
    });
    findings.push(...tableFindings(path, list), ...tokens.findings(path));
  };
  const scenes: Scene[] = [];
  await read('scene', (record) => scenes.push(sceneOf(record)));
  const sceneNumbers = new Map(scenes.map(({ token }, i) => [token, i]));
  const samples: Sample[] = [];
  const sampleNumbers = new Map<string, number>();
  const links: string[] = [];
  await read('sample', (record) => {
    links.push(linkOf(record, 'prev'), linkOf(record, 'next'));
    sampleNumbers.set(textOf(record, 'token'), samples.length);
    const scene = sceneNumbers.get(textOf(record, 'scene_token')) ?? -1;
    samples.push({ scene, time_us: numberOf(record, 'timestamp') });
  });
  findings.push(...chainFindings(`${version}/sample.json`, links, sampleNumbers));
  const sensors = new Map<string, JsonObject>();
  await read('sensor', (record) => sensors.set(textOf(record, 'token'), record));
  const mounts = new Map<string, Mount>();
  await read('calibrated_sensor', (record) =>
    mounts.set(textOf(record, 'token'), mountOf(record, sensors.get(textOf(record, 'sensor_token')))),
  );
  const vehicles = new Map<string, string>();
  await read('log', (record) => vehicles.set(textOf(record, 'token'), textOf(record, 'vehicle')));
  for (const name of ['category', 'attribute', 'visibility', 'instance']) await read(name, () => {});
  findings.push(...(await mapFindings(tree, version, vehicles.keys())));
  return { scenes, samples, sampleNumbers, mounts, vehicles, findings };
}

function sceneOf(record: JsonObject): Scene {
  return {
    token: textOf(record, 'token'),
    name: textOf(record, 'name'),
    description: textOf(record, 'description'),
    log_token: textOf(record, 'log_token'),
    declared_samples: numberOf(record, 'nbr_samples'),
  };
}

function mountOf(record: JsonObject, known: JsonObject | undefined): Mount {
  const sensor = known ?? {};
  return {
    has_sensor: known !== undefined,
    channel: textOf(sensor, 'channel'),
    modality: textOf(sensor, 'modality'),
    translation: numbersOf(record.translation),
    rotation: numbersOf(record.rotation),
    intrinsic: numbersOf(record.camera_intrinsic),
  };
}

/** A token, empty where a chain ends; what is no text leads nowhere. */
function linkOf(record: JsonObject, key: string): string {
  const value = record[key];
  return typeof value === 'string' ? value : 'nowhere';
}

function chainFindings(
  path: string,
  links: readonly string[],
  samples: ReadonlyMap<string, number>,
): Finding[] {
  const broken = links.filter((token) => token !== '' && !samples.has(token)).length;
  if (broken === 0) return [];
  const message = `${broken} times prev or next of ${path} names no sample`;
  return [nuScenesBreach('nuscenes_sample_chain', path, message, { links: broken })];
}

/** What the devkit asks of maps when it opens a version: their pictures, and one for every log. */
async function mapFindings(tree: SourceTree, version: string, logs: Iterable<string>): Promise<Finding[]> {
  const path = `${version}/map.json`;
  if (!tree.has(path)) return [];
  const mapped = new Set<string>();
  const absent: string[] = [];
  const tokens = new TokenCheck();
  let listless = 0;
  const list = await readJsonList(tree, path, (record) => {
    tokens.add(textOf(record, 'token'));
    const file = textOf(record, 'filename');
    if (!tree.has(file)) absent.push(file);
    if (!Array.isArray(record.log_tokens)) listless++;
    else for (const log of record.log_tokens) mapped.add(String(log));
  });
  const findings = [...tableFindings(path, list), ...tokens.findings(path)];
  if (list.records === 0 || listless > 0) {
    const message =
      list.records === 0 ? `${path} is empty` : `${listless} records of ${path} have no log_tokens`;
    return [...findings, nuScenesBreach('nuscenes_map_missing', path, message)];
  }
  if (absent.length > 0) {
    const message = `${absent.length} of ${list.records} pictures of maps are not there: ${absent.slice(0, 3).join(', ')}`;
    findings.push(
      nuScenesBreach('nuscenes_map_mask_missing', path, message, {
        maps: list.records,
        absent: absent.length,
      }),
    );
  }
  const lost = [...logs].filter((log) => !mapped.has(log));
  if (lost.length > 0) {
    const message = `${lost.length} logs are on no map of ${path}: ${lost.slice(0, 3).join(', ')}`;
    findings.push(nuScenesBreach('nuscenes_reference_broken', path, message, { logs: lost.length }));
  }
  return findings;
}

/** Tokens of one table: whether two records have the same. */
class TokenCheck {
  readonly #seen = new Set<string>();
  readonly #twice: string[] = [];

  add(token: string): void {
    if (this.#seen.has(token)) this.#twice.push(token);
    this.#seen.add(token);
  }

  has(token: string): boolean {
    return this.#seen.has(token);
  }

  findings(path: string): Finding[] {
    if (this.#twice.length === 0) return [];
    const message = `${this.#twice.length} records of ${path} have the token of another: ${this.#twice.slice(0, 3).join(', ')}`;
    return [nuScenesBreach('nuscenes_token_twice', path, message, { records: this.#twice.length })];
  }
}

/** What is wrong with the form of a table. */
export function tableFindings(
  path: string,
  { broken, records, shape }: { readonly broken: number; readonly records: number; readonly shape: string },
): Finding[] {
  const findings: Finding[] = [];
  const add = (code: Parameters<typeof nuScenesBreach>[0], message: string) =>
    findings.push(nuScenesBreach(code, path, message));
  if (shape === 'cut')
    add('file_truncated', `${path} ends in the middle; ${records} records before that were read`);
  if (shape === 'other') add('table_malformed', `${path} is no list of records`);
  if (broken > 0) add('records_broken', `${broken} of ${records} records of ${path} are not JSON`);
  return findings;
}

/** A text of a record; empty where it is none. */
export function textOf(record: JsonObject, key: string): string {
  const value = record[key];
  return typeof value === 'string' ? value : '';
}

/** A number of a record; NaN where it is none. */
export function numberOf(record: JsonObject, key: string): number {
  const value = record[key];
  return typeof value === 'number' ? value : Number.NaN;
}

/** Numbers of a list, of lists of numbers row by row; null where one is none. */
export function numbersOf(value: JsonValue | undefined): number[] | null {
  if (!Array.isArray(value)) return null;
  const flat = value.flat();
  return flat.every((one) => typeof one === 'number' && Number.isFinite(one)) ? flat : null;
}
