import type { JsonObject, JsonValue } from '#core';
import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { readJsonList } from '../shared/text/json-list.ts';
import { nuScenesViolation } from './rules.ts';

interface Scene {
  readonly token: string;
  readonly name: string;
  readonly description: string;
  readonly log_token: string;
  readonly declared_samples: number;
}

/** A keyframe. */
interface Sample {
  /** Index of its scene; -1 if the scene is unknown. */
  readonly scene: number;
  /** µs since the UNIX epoch. */
  readonly time_us: number;
}

/** A sensor's mounting and calibration during one log. */
export interface Mount {
  /** False if the table of sensors lacks its sensor. */
  readonly has_sensor: boolean;
  readonly channel: string;
  readonly modality: string;
  readonly translation: readonly number[] | null;
  /** Rotation as w, x, y, z. */
  readonly rotation: readonly number[] | null;
  /** 3×3 matrix, row-major; empty for sensors that are no cameras. */
  readonly intrinsic: readonly number[] | null;
}

/** Tables of a version that fit into memory: all but those with one record per measurement. */
export interface SmallTables {
  readonly scenes: readonly Scene[];
  readonly samples: readonly Sample[];
  readonly sampleNumbers: ReadonlyMap<string, number>;
  readonly mounts: ReadonlyMap<string, Mount>;
  /** Vehicle by log token. */
  readonly vehicles: ReadonlyMap<string, string>;
  readonly findings: readonly Finding[];
}

/**
 * Returns scenes, keyframes, sensors and logs of a version, with findings about tokens, references and maps; absent
 * tables are empty.
 */
export async function readSmallTables(tree: SourceTree, version: string): Promise<SmallTables> {
  const findings: Finding[] = [];
  const read = async (name: string, onRecord: (record: JsonObject) => void): Promise<void> => {
    const path = `${version}/${name}.json`;
    if (!tree.has(path)) return;
    const tokens = new TokenCheck();
    const list = await readJsonList(tree, path, (record) => {
      tokens.add(textField(record, 'token'));
      onRecord(record);
    });
    findings.push(...tableFindings(path, list), ...tokens.findings(path));
  };
  const scenes: Scene[] = [];
  await read('scene', (record) => scenes.push(parseScene(record)));
  const sceneNumbers = new Map(scenes.map(({ token }, i) => [token, i]));
  const samples: Sample[] = [];
  const sampleNumbers = new Map<string, number>();
  const links: string[] = [];
  await read('sample', (record) => {
    links.push(readLink(record, 'prev'), readLink(record, 'next'));
    sampleNumbers.set(textField(record, 'token'), samples.length);
    const scene = sceneNumbers.get(textField(record, 'scene_token')) ?? -1;
    samples.push({ scene, time_us: numberField(record, 'timestamp') });
  });
  findings.push(...chainFindings(`${version}/sample.json`, links, sampleNumbers));
  const sensors = new Map<string, JsonObject>();
  await read('sensor', (record) => sensors.set(textField(record, 'token'), record));
  const mounts = new Map<string, Mount>();
  await read('calibrated_sensor', (record) =>
    mounts.set(
      textField(record, 'token'),
      parseMount(record, sensors.get(textField(record, 'sensor_token'))),
    ),
  );
  const vehicles = new Map<string, string>();
  await read('log', (record) => vehicles.set(textField(record, 'token'), textField(record, 'vehicle')));
  for (const name of ['category', 'attribute', 'visibility', 'instance']) await read(name, () => {});
  findings.push(...(await mapFindings(tree, version, vehicles.keys())));
  return { scenes, samples, sampleNumbers, mounts, vehicles, findings };
}

function parseScene(record: JsonObject): Scene {
  return {
    token: textField(record, 'token'),
    name: textField(record, 'name'),
    description: textField(record, 'description'),
    log_token: textField(record, 'log_token'),
    declared_samples: numberField(record, 'nbr_samples'),
  };
}

function parseMount(record: JsonObject, sensorRecord: JsonObject | undefined): Mount {
  const sensor = sensorRecord ?? {};
  return {
    has_sensor: sensorRecord !== undefined,
    channel: textField(sensor, 'channel'),
    modality: textField(sensor, 'modality'),
    translation: toNumbers(record.translation),
    rotation: toNumbers(record.rotation),
    intrinsic: toNumbers(record.camera_intrinsic),
  };
}

/** Returns the token of a link, '' at the end of a chain, or an unknown token if the value is no text. */
function readLink(record: JsonObject, key: string): string {
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
  const message = `prev or next in ${path} refers to a missing sample in ${broken} places`;
  return [nuScenesViolation('nuscenes_sample_chain', path, message, { links: broken })];
}

/** Reports violations of what the devkit requires of maps on opening: image files, and a map for every log. */
async function mapFindings(tree: SourceTree, version: string, logs: Iterable<string>): Promise<Finding[]> {
  const path = `${version}/map.json`;
  if (!tree.has(path)) return [];
  const mapped = new Set<string>();
  const missing: string[] = [];
  const tokens = new TokenCheck();
  let withoutLogs = 0;
  const list = await readJsonList(tree, path, (record) => {
    tokens.add(textField(record, 'token'));
    const file = textField(record, 'filename');
    if (!tree.has(file)) missing.push(file);
    if (!Array.isArray(record.log_tokens)) withoutLogs++;
    else for (const log of record.log_tokens) mapped.add(String(log));
  });
  const findings = [...tableFindings(path, list), ...tokens.findings(path)];
  if (list.records === 0 || withoutLogs > 0) {
    const message =
      list.records === 0 ? `${path} is empty` : `${withoutLogs} records of ${path} have no log_tokens`;
    return [...findings, nuScenesViolation('nuscenes_map_missing', path, message)];
  }
  if (missing.length > 0) {
    const message = `${missing.length} of ${list.records} map images are missing: ${missing.slice(0, 3).join(', ')}`;
    findings.push(
      nuScenesViolation('nuscenes_map_mask_missing', path, message, {
        maps: list.records,
        absent: missing.length,
      }),
    );
  }
  const unmapped = [...logs].filter((log) => !mapped.has(log));
  if (unmapped.length > 0) {
    const message = `${unmapped.length} logs are not on any map in ${path}: ${unmapped.slice(0, 3).join(', ')}`;
    findings.push(nuScenesViolation('nuscenes_reference_broken', path, message, { logs: unmapped.length }));
  }
  return findings;
}

/** Finds tokens that occur more than once in a table. */
class TokenCheck {
  readonly #tokens = new Set<string>();
  readonly #repeated: string[] = [];

  add(token: string): void {
    if (this.#tokens.has(token)) this.#repeated.push(token);
    this.#tokens.add(token);
  }

  has(token: string): boolean {
    return this.#tokens.has(token);
  }

  findings(path: string): Finding[] {
    if (this.#repeated.length === 0) return [];
    const message = `${this.#repeated.length} records of ${path} have duplicate tokens: ${this.#repeated.slice(0, 3).join(', ')}`;
    return [nuScenesViolation('nuscenes_token_twice', path, message, { records: this.#repeated.length })];
  }
}

/** Returns findings for a table that is cut off, is no list, or has broken records. */
export function tableFindings(
  path: string,
  { broken, records, shape }: { readonly broken: number; readonly records: number; readonly shape: string },
): Finding[] {
  const findings: Finding[] = [];
  const add = (code: Parameters<typeof nuScenesViolation>[0], message: string) =>
    findings.push(nuScenesViolation(code, path, message));
  if (shape === 'cut')
    add('file_truncated', `${path} is truncated; the ${records} records before the cut were read`);
  if (shape === 'other') add('table_malformed', `${path} is not a list of records`);
  if (broken > 0) add('records_broken', `${broken} of ${records} records of ${path} are not valid JSON`);
  return findings;
}

/** Returns a text field of a record; '' if it is no text. */
export function textField(record: JsonObject, key: string): string {
  const value = record[key];
  return typeof value === 'string' ? value : '';
}

/** Returns a number field of a record; NaN if it is no number. */
export function numberField(record: JsonObject, key: string): number {
  const value = record[key];
  return typeof value === 'number' ? value : Number.NaN;
}

/** Flattens a list, or a list of lists, of numbers row by row; `null` if it is no list or holds anything else. */
export function toNumbers(value: JsonValue | undefined): number[] | null {
  if (!Array.isArray(value)) return null;
  const flat = value.flat();
  return flat.every((element) => typeof element === 'number' && Number.isFinite(element)) ? flat : null;
}
