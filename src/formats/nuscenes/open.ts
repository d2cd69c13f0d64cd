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
import { type Boxes, type DataIndex, indexSampleData, readBoxes, TokenIndex } from './large-tables.ts';
import { findVersions, tableNames } from './recognise.ts';
import { nuScenesViolation } from './rules.ts';
import { readSmallTables, type SmallTables, tableFindings, textField } from './small-tables.ts';
import {
  buildCalibrations,
  type Channel,
  cameraStream,
  findInvalidScans,
  keyframeStream,
  type Measurement,
  poseStream,
  rangeStreams,
  readChannels,
  readPoses,
} from './streams.ts';

/**
 * Opens a nuScenes folder as a dataset with one work unit per scene, across all versions in it; throws
 * `unreadable_input` if no table lists a scene.
 */
export async function openNuScenes(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  const versions: Version[] = [];
  for (const name of findVersions(tree)) versions.push(await openVersion(tree, name, sceneCount(versions)));
  if (sceneCount(versions) === 0)
    throw new AssayError('unreadable_input', 'the tables list no scenes', {
      advice: 'unpack all tables of one version together',
    });
  // Tables are hashed once for all scenes.
  const hasher = createFileHasher(tree);

  async function* read(unit: WorkUnit, options: ReadOptions): AsyncGenerator<Episode | Unreadable> {
    options.signal?.throwIfAborted();
    const version = versions.findLast(({ first_index: first }) => first <= unit.first_index)!;
    const context = { tree, hasher, scope: hashScope(options) };
    yield await readScene(version, unit.first_index - version.first_index, context);
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
      declared_cameras: listCameras(versions),
    },
    recognition,
    findings: versions.flatMap((version) => versionFindings(tree, version)),
    units: versions.flatMap(buildUnits),
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
    first_index: first,
    loadLargeTables: () => {
      large ??= readLargeTables(tree, name, tables);
      return large;
    },
  };
}

function buildUnits({ name, tables, data, first_index: first }: Version): WorkUnit[] {
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

function listCameras(versions: readonly Version[]): string[] {
  const cameras = new Set<string>();
  for (const { tables } of versions)
    for (const { channel, modality } of tables.mounts.values())
      if (modality === 'camera') cameras.add(channel);
  return [...cameras].sort();
}

function versionFindings(tree: SourceTree, { name, tables, data }: Version): Finding[] {
  const missing = tableNames.filter((table) => !tree.has(`${name}/${table}.json`));
  const findings = [...tables.findings, ...data.findings];
  if (missing.length === 0) return findings;
  const message = `${name} lacks ${missing.length} of ${tableNames.length} tables: ${missing.join(', ')}`;
  return [...findings, nuScenesViolation('tables_missing', name, message)];
}

/** One opened version. */
interface Version {
  readonly name: string;
  readonly tables: SmallTables;
  readonly data: DataIndex;
  /** Reads the large tables on the first call and caches them. */
  loadLargeTables(): Promise<LargeTables>;
  /** Index of its first scene in the dataset. */
  readonly first_index: number;
}

interface SceneContext {
  readonly tree: SourceTree;
  readonly hasher: FileHasher;
  readonly scope: HashScope;
}

/** Reads one scene as an episode. Returns an `Unreadable` if no measurement has a time. */
async function readScene(
  version: Version,
  number: number,
  { tree, hasher, scope }: SceneContext,
): Promise<Episode | Unreadable> {
  const { name, tables } = version;
  const scene = tables.scenes[number];
  const id = `${name}/${scene.name}`;
  const index = version.first_index + number;
  const path = `${name}/sample_data.json`;
  const channels = await readChannels(tree, path, version.data.locations(number), tables.mounts);
  const origin_us = computeOrigin(channels);
  if (origin_us === null) return unreadable(id, index, path);
  const large = await version.loadLargeTables();
  const findings: Finding[] = [
    ...large.findings,
    ...large.boxes.brokenFindings(number),
    ...channels.flatMap(scanFindings),
  ];
  const streams = channels.flatMap((channel) =>
    channel.mount.modality === 'camera' ? cameraStream(channel, origin_us) : rangeStreams(channel, origin_us),
  );
  if (large.poses !== null) {
    const poses = await readPoses(tree, `${name}/ego_pose.json`, large.poses, choosePoseSource(channels));
    findings.push(...poses.findings);
    if (poses.time_us.length > 0) streams.push(poseStream(poses, origin_us));
  }
  const keyframes = readKeyframes(tables, number, large.boxes.counts);
  findings.push(...countFindings(name, scene.name, scene.declared_samples, keyframes.time_us.length));
  if (keyframes.boxes !== null) streams.push(keyframeStream(keyframes.time_us, keyframes.boxes, origin_us));
  return {
    id,
    index,
    locator: { format: 'nuscenes', path },
    sources: await sourceRefs(tree, filesUsed(tree, name, channels), hasher, scope),
    start_ns: (BigInt(origin_us) * 1000n).toString(),
    duration_s: computeDuration(streams),
    streams,
    events:
      scene.description === '' ? [] : [{ time_s: 0, label: scene.description, source: `${name}/scene.json` }],
    tasks: null,
    outcome: unknownOutcome,
    robot: tables.vehicles.get(scene.log_token) || null,
    calibrations: buildCalibrations(channels, `${name}/calibrated_sensor.json`),
    grippers: [],
    labels: null,
    findings,
  };
}

function computeOrigin(channels: readonly Channel[]): number | null {
  let origin = Infinity;
  for (const { measurements } of channels)
    for (const { time_us } of measurements)
      if (Number.isSafeInteger(time_us) && time_us < origin) origin = time_us;
  return origin === Infinity ? null : origin;
}

/**
 * Returns the measurements whose poses are read: those of the laser, else of the sensor with most measurements. Poses
 * of other sensors lie between them.
 */
function choosePoseSource(channels: readonly Channel[]): readonly Measurement[] {
  const lidar = channels.find(({ mount }) => mount.modality === 'lidar');
  const busiest = [...channels].sort((a, b) => b.measurements.length - a.measurements.length)[0];
  return (lidar ?? busiest).measurements;
}

function readKeyframes({ samples }: SmallTables, scene: number, boxes: Uint32Array | null) {
  const sceneKeyframes = samples
    .flatMap((sample, i) =>
      sample.scene === scene && Number.isFinite(sample.time_us)
        ? [{ time_us: sample.time_us, boxes: boxes?.[i] ?? 0 }]
        : [],
    )
    .sort((a, b) => a.time_us - b.time_us);
  return {
    time_us: Float64Array.from(sceneKeyframes, ({ time_us }) => time_us),
    boxes: boxes === null ? null : Float64Array.from(sceneKeyframes, (sample) => sample.boxes),
  };
}

function computeDuration(streams: readonly Stream[]): number {
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

function countFindings(version: string, scene: string, declared: number, found: number): Finding[] {
  if (Number.isNaN(declared) || declared === found) return [];
  return [
    {
      code: 'metadata_count_mismatch',
      severity: 'warning',
      path: `${version}/scene.json`,
      message: `${scene} declares ${declared} keyframes, but sample.json has ${found}`,
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
    message: `${id} has no sensor data with a timestamp`,
    advice: 'unpack all tables of one version together',
  };
  return { unreadable: true, id, index, finding };
}

const floatBytes = 4;
const numbersPerPoint = 5;

/**
 * Returns true for scans that the devkit fails on. It ignores bytes beyond the last whole number, and treats an empty
 * scan as one without points.
 */
const isCut = ({ bytes }: Measurement): boolean =>
  bytes !== null && Math.floor(bytes / floatBytes) % numbersPerPoint !== 0;

function scanFindings(channel: Channel): Finding[] {
  const invalid = findInvalidScans(channel);
  const [cut, damaged] = [invalid.filter(isCut), invalid.filter((scan) => !isCut(scan))];
  const scans = channel.measurements.length;
  const describe = (group: readonly Measurement[], what: string) =>
    `${group.length} of ${scans} scans of ${channel.name} ${what} (${group[0].file}: ${group[0].bytes} bytes)`;
  const findings: Finding[] = [];
  if (cut.length > 0) {
    const evidence = { scans, cut: cut.length };
    findings.push(
      nuScenesViolation(
        'nuscenes_scan_cut',
        cut[0].file,
        describe(cut, 'are truncated within a point'),
        evidence,
      ),
    );
  }
  if (damaged.length > 0)
    findings.push({
      code: 'scans_damaged',
      severity: 'error',
      path: damaged[0].file,
      message: describe(damaged, 'are empty or not a whole number of points'),
      advice: 'unpack the archive of this sensor again',
      evidence: { scans, damaged: damaged.length },
    });
  return findings;
}

/** Large tables, which are read with the first scene only, so that opening the dataset stays fast. */
interface LargeTables {
  /** Index of ego_pose.json; `null` if it does not exist. */
  readonly poses: TokenIndex | null;
  readonly boxes: Boxes;
  /** Findings about malformed tables. Affected scenes are unknown, so they apply to every scene. */
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
  const list = await readJsonList(tree, path, (record, location) =>
    index.add(textField(record, 'token'), location),
  );
  findings.push(...tableFindings(path, list));
  return index;
}
