import type { Episode, Finding, Stream } from '#core/episode';
import { timesOf, unknownOutcome } from '#core/episode';
import { type FileHasher, type HashScope, type SourceTree, sourceRefs, type UsedFile } from '#io/sources';
import type { Unreadable } from '../shared/reader.ts';
import type { DataIndex } from './data-index.ts';
import type { LargeTables } from './large-tables.ts';
import { type Channel, type Measurement, readChannels } from './measurements.ts';
import { readPoses } from './poses.ts';
import { scanFindings } from './scan-findings.ts';
import type { SmallTables } from './small-tables.ts';
import { calibrationOf, cameraStream, keyframeStream, poseStream, rangeStreams } from './streams.ts';
import { tableNames } from './versions.ts';

/** One version of the tables, opened. */
export interface Version {
  readonly name: string;
  readonly tables: SmallTables;
  readonly data: DataIndex;
  /** Walked when first asked for. */
  large(): Promise<LargeTables>;
  /** Index of its first scene in the dataset. */
  readonly first: number;
}

export interface SceneContext {
  readonly tree: SourceTree;
  readonly hasher: FileHasher;
  readonly scope: HashScope;
}

/** Reads one scene as an episode. */
export async function readScene(
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
