import { AssayError } from '#core';
import { type Episode, type Finding, type Stream, timesOf, unknownOutcome } from '#core/episode';
import {
  createFileHasher,
  type FileHasher,
  type HashScope,
  hashScope,
  type SourceTree,
  sourceRefs,
  type UsedFile,
} from '#io/sources';
import type { Dataset, ReadOptions, Recognition, Unreadable, WorkUnit } from '../shared/reader.ts';
import { readJsonList } from '../shared/text/json-list.ts';
import { type Boxes, readBoxes } from './boxes.ts';
import { type DataIndex, indexSampleData } from './data-index.ts';
import { nuScenesBreach } from './rules.ts';
import { readSmallTables, type SmallTables, tableFindings, textOf } from './small-tables.ts';
import {
  type Channel,
  calibrationOf,
  cameraStream,
  damagedScans,
  keyframeStream,
  type Measurement,
  poseStream,
  rangeStreams,
  readChannels,
  readPoses,
} from './streams.ts';
import { TokenIndex } from './token-index.ts';
import { tableNames, versionsOf } from './versions.ts';

/** A scene a work unit, of every version beside the pictures. */
export async function openNuScenes(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  const versions: Version[] = [];
  for (const name of versionsOf(tree)) versions.push(await openVersion(tree, name, sceneCount(versions)));
  if (sceneCount(versions) === 0)
    throw new AssayError('unreadable_input', 'no table lists a scene', {
      advice: 'unpack all tables of one version together',
    });
  // The tables are hashed once for all scenes.
  const hasher = createFileHasher(tree);

  async function* read(unit: WorkUnit, options: ReadOptions): AsyncGenerator<Episode | Unreadable> {
    options.signal?.throwIfAborted();
    const version = versions.findLast(({ first }) => first <= unit.first_index)!;
    const context = { tree, hasher, scope: hashScope(options) };
    yield await readScene(version, unit.first_index - version.first, context);
    options.onBytes?.(unit.bytes);
  }

  return {
    facts: {
      format: 'nuscenes',
      version: versions.map(({ name }) => name).join(', '),
      declared_episodes: sceneCount(versions),
      declared_frames: null,
      declared_rate_hz: null,
      robot: null,
      declared_cameras: camerasOf(versions),
    },
    recognition,
    findings: versions.flatMap((version) => findingsOf(tree, version)),
    units: versions.flatMap(unitsOf),
    read,
    close: async () => {},
  };
}

const sceneCount = (versions: readonly Version[]): number =>
  versions.reduce((sum, { tables }) => sum + tables.scenes.length, 0);

async function openVersion(tree: SourceTree, name: string, first: number): Promise<Version> {
  const tables = await readSmallTables(tree, name);
  const data = await indexSampleData(tree, name, tables);
  let large: Promise<LargeTables> | null = null;
  return {
    name,
    tables,
    data,
    first,
    large: () => {
      large ??= readLargeTables(tree, name, tables);
      return large;
    },
  };
}

function unitsOf({ name, tables, data, first }: Version): WorkUnit[] {
  return tables.scenes.map((scene, i) => {
    const { records, files } = data.bytes(i);
    return {
      id: `${name}/${scene.name}`,
      expected_episodes: 1,
      first_index: first + i,
      bytes: records + files,
      look_bytes: records,
      selector: null,
    };
  });
}

function camerasOf(versions: readonly Version[]): string[] {
  const cameras = new Set<string>();
  for (const { tables } of versions)
    for (const { channel, modality } of tables.mounts.values())
      if (modality === 'camera') cameras.add(channel);
  return [...cameras].sort();
}

function findingsOf(tree: SourceTree, { name, tables, data }: Version): Finding[] {
  const absent = tableNames.filter((table) => !tree.has(`${name}/${table}.json`));
  const findings = [...tables.findings, ...data.findings];
  if (absent.length === 0) return findings;
  const message = `${name} lacks ${absent.length} of ${tableNames.length} tables: ${absent.join(', ')}`;
  return [...findings, nuScenesBreach('tables_missing', name, message)];
}

/** One version of the tables, opened. */
interface Version {
  readonly name: string;
  readonly tables: SmallTables;
  readonly data: DataIndex;
  /** Walked when first asked for. */
  large(): Promise<LargeTables>;
  /** Index of its first scene in the dataset. */
  readonly first: number;
}

interface SceneContext {
  readonly tree: SourceTree;
  readonly hasher: FileHasher;
  readonly scope: HashScope;
}

/** Reads one scene as an episode. */
async function readScene(
  version: Version,
  number: number,
  { tree, hasher, scope }: SceneContext,
): Promise<Episode | Unreadable> {
  const { name, tables } = version;
  const scene = tables.scenes[number];
  const id = `${name}/${scene.name}`;
  const index = version.first + number;
  const path = `${name}/sample_data.json`;
  const channels = await readChannels(tree, path, version.data.places(number), tables.mounts);
  const zero_us = zeroOf(channels);
  if (zero_us === null) return unreadable(id, index, path);
  const large = await version.large();
  const findings: Finding[] = [
    ...large.findings,
    ...large.boxes.broken(number),
    ...channels.flatMap(scanFindings),
  ];
  const streams = channels.flatMap((channel) =>
    channel.mount.modality === 'camera' ? cameraStream(channel, zero_us) : rangeStreams(channel, zero_us),
  );
  if (large.poses !== null) {
    const poses = await readPoses(tree, `${name}/ego_pose.json`, large.poses, posed(channels));
    findings.push(...poses.findings);
    if (poses.time_us.length > 0) streams.push(poseStream(poses, zero_us));
  }
  const keyframes = keyframesOf(tables, number, large.boxes.counts);
  findings.push(...countFinding(name, scene.name, scene.declared_samples, keyframes.time_us.length));
  if (keyframes.boxes !== null) streams.push(keyframeStream(keyframes.time_us, keyframes.boxes, zero_us));
  return {
    id,
    index,
    locator: { format: 'nuscenes', path },
    sources: await sourceRefs(tree, filesUsed(tree, name, channels), hasher, scope),
    start_ns: (BigInt(zero_us) * 1000n).toString(),
    duration_s: durationOf(streams),
    streams,
    events:
      scene.description === '' ? [] : [{ time_s: 0, label: scene.description, source: `${name}/scene.json` }],
    tasks: null,
    outcome: unknownOutcome,
    robot: tables.vehicles.get(scene.log_token) || null,
    calibrations: calibrationOf(channels, `${name}/calibrated_sensor.json`),
    grippers: [],
    labels: null,
    findings,
  };
}

function zeroOf(channels: readonly Channel[]): number | null {
  let zero = Infinity;
  for (const { measurements } of channels)
    for (const { time_us } of measurements)
      if (Number.isSafeInteger(time_us) && time_us < zero) zero = time_us;
  return zero === Infinity ? null : zero;
}

/** The laser's poses: those of the other sensors lie between. Without a laser, those of the busiest sensor. */
function posed(channels: readonly Channel[]): readonly Measurement[] {
  const lidar = channels.find(({ mount }) => mount.modality === 'lidar');
  const busiest = [...channels].sort((a, b) => b.measurements.length - a.measurements.length)[0];
  return (lidar ?? busiest).measurements;
}

function keyframesOf({ samples }: SmallTables, scene: number, boxes: Uint32Array | null) {
  const own = samples
    .flatMap((sample, i) =>
      sample.scene === scene && Number.isFinite(sample.time_us)
        ? [{ time_us: sample.time_us, boxes: boxes?.[i] ?? 0 }]
        : [],
    )
    .sort((a, b) => a.time_us - b.time_us);
  return {
    time_us: Float64Array.from(own, ({ time_us }) => time_us),
    boxes: boxes === null ? null : Float64Array.from(own, (sample) => sample.boxes),
  };
}

function durationOf(streams: readonly Stream[]): number {
  let last_s = 0;
  for (const stream of streams) last_s = Math.max(last_s, timesOf(stream)?.at(-1) ?? 0);
  return last_s;
}

function filesUsed(tree: SourceTree, version: string, channels: readonly Channel[]): UsedFile[] {
  const tables = tableNames.map((name) => `${version}/${name}.json`).filter((path) => tree.has(path));
  return [
    ...tables.map((path) => ({ path, role: 'metadata' as const })),
    ...channels.flatMap(({ mount, measurements }) =>
      measurements.flatMap(({ file, bytes }): UsedFile[] =>
        bytes === null ? [] : [{ path: file, role: mount.modality === 'camera' ? 'image' : 'data' }],
      ),
    ),
  ];
}

function countFinding(version: string, scene: string, declared: number, found: number): Finding[] {
  if (Number.isNaN(declared) || declared === found) return [];
  return [
    {
      code: 'metadata_count_mismatch',
      severity: 'warning',
      path: `${version}/scene.json`,
      message: `${scene} declares ${declared} keyframes, sample.json has ${found}`,
      advice: 'unpack all tables of one version together',
      evidence: { declared, found },
    },
  ];
}

function unreadable(id: string, index: number, path: string): Unreadable {
  const finding: Finding = {
    code: 'scene_empty',
    severity: 'error',
    path,
    message: `${id} has no measurement with a time`,
    advice: 'unpack all tables of one version together',
  };
  return { unreadable: true, id, index, finding };
}

const numberBytes = 4;
const pointNumbers = 5;

/** The devkit drops what is less than a number, and takes an empty scan for one without points. */
const isCut = ({ bytes }: Measurement): boolean =>
  bytes !== null && Math.floor(bytes / numberBytes) % pointNumbers !== 0;

function scanFindings(channel: Channel): Finding[] {
  const odd = damagedScans(channel);
  const [cut, damaged] = [odd.filter(isCut), odd.filter((scan) => !isCut(scan))];
  const scans = channel.measurements.length;
  const say = (some: readonly Measurement[], what: string) =>
    `${some.length} of ${scans} scans of ${channel.name} ${what} (${some[0].file}: ${some[0].bytes} bytes)`;
  const findings: Finding[] = [];
  if (cut.length > 0) {
    const evidence = { scans, cut: cut.length };
    findings.push(nuScenesBreach('nuscenes_scan_cut', cut[0].file, say(cut, 'end within a point'), evidence));
  }
  if (damaged.length > 0)
    findings.push({
      code: 'scans_damaged',
      severity: 'error',
      path: damaged[0].file,
      message: say(damaged, 'are empty or not a whole number of points'),
      advice: 'unpack the archive of this sensor again',
      evidence: { scans, damaged: damaged.length },
    });
  return findings;
}

/** Tables that are only walked when the first scene is read: a look at the dataset does without. */
interface LargeTables {
  /** null: there is no ego_pose.json. */
  readonly poses: TokenIndex | null;
  readonly boxes: Boxes;
  /** What is wrong with their form: which scenes lack what was lost cannot be told, so it concerns each. */
  readonly findings: readonly Finding[];
}

async function readLargeTables(tree: SourceTree, version: string, tables: SmallTables): Promise<LargeTables> {
  const findings: Finding[] = [];
  const poses = await indexPoses(tree, `${version}/ego_pose.json`, findings);
  const boxes = await readBoxes(tree, version, tables);
  return { poses, boxes, findings: [...findings, ...boxes.findings] };
}

async function indexPoses(tree: SourceTree, path: string, findings: Finding[]): Promise<TokenIndex | null> {
  if (!tree.has(path)) return null;
  const index = new TokenIndex();
  const list = await readJsonList(tree, path, (record, place) => index.add(textOf(record, 'token'), place));
  findings.push(...tableFindings(path, list));
  return index;
}
