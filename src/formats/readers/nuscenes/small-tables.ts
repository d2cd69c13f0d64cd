import type { Finding } from '#episode';
import type { JsonObject } from '#kernel';
import type { SourceTree } from '../../bytes/source-tree.ts';
import { readJsonList } from '../../text/json-list.ts';
import { numberOf, numbersOf, textOf } from './records.ts';

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
    if (tree.has(path)) findings.push(...tableFindings(path, await readJsonList(tree, path, onRecord)));
  };
  const scenes: Scene[] = [];
  await read('scene', (record) => scenes.push(sceneOf(record)));
  const sceneNumbers = new Map(scenes.map(({ token }, i) => [token, i]));
  const samples: Sample[] = [];
  const sampleNumbers = new Map<string, number>();
  await read('sample', (record) => {
    sampleNumbers.set(textOf(record, 'token'), samples.length);
    const scene = sceneNumbers.get(textOf(record, 'scene_token')) ?? -1;
    samples.push({ scene, time_us: numberOf(record, 'timestamp') });
  });
  const sensors = new Map<string, JsonObject>();
  await read('sensor', (record) => sensors.set(textOf(record, 'token'), record));
  const mounts = new Map<string, Mount>();
  await read('calibrated_sensor', (record) =>
    mounts.set(textOf(record, 'token'), mountOf(record, sensors.get(textOf(record, 'sensor_token')) ?? {})),
  );
  const vehicles = new Map<string, string>();
  await read('log', (record) => vehicles.set(textOf(record, 'token'), textOf(record, 'vehicle')));
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

function mountOf(record: JsonObject, sensor: JsonObject): Mount {
  return {
    channel: textOf(sensor, 'channel'),
    modality: textOf(sensor, 'modality'),
    translation: numbersOf(record.translation),
    rotation: numbersOf(record.rotation),
    intrinsic: numbersOf(record.camera_intrinsic),
  };
}

/** What is wrong with the form of a table. */
export function tableFindings(
  path: string,
  { broken, records, shape }: { readonly broken: number; readonly records: number; readonly shape: string },
): Finding[] {
  const findings: Finding[] = [];
  const add = (code: string, message: string, advice: string) =>
    findings.push({ code, severity: 'error', path, message, advice });
  if (shape === 'cut')
    add(
      'file_truncated',
      `${path} ends in the middle; ${records} records before that were read`,
      'unpack it again',
    );
  if (shape === 'other') add('table_malformed', `${path} is no list of records`, 'unpack it again');
  if (broken > 0)
    add('records_broken', `${broken} of ${records} records of ${path} are not JSON`, 'unpack it again');
  return findings;
}
