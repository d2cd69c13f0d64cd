import { plainTypeName, type StructType, typeAt } from '@assay/ros-messages';
import type { StreamRole, UnitOfMeasure } from '#core/episode';
import { genericGroups } from './sinks/generic-groups.ts';
import {
  fixedUnit,
  isDepthTopic,
  isEventTopic,
  isOutcomeTopic,
  isTaskTopic,
  numericRole,
  unknownUnit,
} from './topic-roles.ts';

/** Fields of a topic that form one stream. */
export interface GroupSpec {
  /** Appended to the topic with a dot; '' if it is the topic's only stream. */
  readonly suffix: string;
  readonly paths: readonly string[];
  /** One name per dimension if the definition gives them; `null` to use the message's own names, or none. */
  readonly names: readonly string[] | null;
  readonly role: StreamRole;
  readonly unit: UnitOfMeasure;
  /** Element of a list of structs that is read; absent: all of them. */
  readonly only?: 'first' | 'last';
  /** Id of the stream; absent: the topic and the suffix. */
  readonly id?: string;
  /** Path of a covariance whose first number is -1 in messages without an estimate (sensor_msgs/Imu). */
  readonly covariance?: string;
}

/** Mapping of a topic with numbers. */
export interface NumericSpec {
  readonly kind: 'numeric';
  readonly groups: readonly GroupSpec[];
  /** Path of the list of (joint) names that the groups share. */
  readonly names: string | null;
}

/** Mapping of a topic with pictures. */
export interface PictureSpec {
  readonly kind: 'picture';
  readonly payload: string;
  /** Path of `format` (compressed) or `encoding` (raw). */
  readonly format: string;
  /** Paths of height, width and step; null for compressed pictures. */
  readonly layout: readonly [height: string, width: string, step: string] | null;
  readonly role: 'camera' | 'depth';
  readonly declared: 'picture' | 'video';
}

/** Mapping of a topic to streams, calibrations, texts or outcomes. */
export type TopicSpec =
  | NumericSpec
  | PictureSpec
  | {
      readonly kind: 'calibration';
      readonly fields: Readonly<Record<string, string>>;
      readonly model: string | null;
    }
  | {
      readonly kind: 'text';
      readonly path: string;
      readonly use: 'task' | 'event' | 'robot' | 'outcome' | 'other';
    }
  | { readonly kind: 'outcome'; readonly path: string }
  | { readonly kind: 'opaque'; readonly role: StreamRole; readonly reason: string };

/**
 * Returns how a topic is read (numbers, pictures, calibration, text), from its message type and name; topics without
 * usable content are `opaque`. Never throws.
 */
export function mapTopic(topic: string, root: StructType): TopicSpec {
  const schema = plainTypeName(root.name);
  const last = schema.slice(Math.max(schema.lastIndexOf('/'), schema.lastIndexOf('.')) + 1);
  const mapped = knownTopics[last]?.(topic, schema, root);
  if (mapped !== undefined && mapped !== null) return mapped;
  return textTopic(topic, root) ?? numericTopic(topic, schema, root);
}

type Mapper = (topic: string, schema: string, root: StructType) => TopicSpec | null;

const has = (root: StructType, ...paths: string[]): boolean =>
  paths.every((path) => typeAt(root, path) !== null);

const xyz = (path: string): string[] => ['x', 'y', 'z'].map((axis) => `${path}.${axis}`);
const xyzw = (path: string): string[] => ['x', 'y', 'z', 'w'].map((axis) => `${path}.${axis}`);

function groupSpec(
  suffix: string,
  paths: readonly string[],
  role: StreamRole,
  unit: UnitOfMeasure,
): GroupSpec {
  return { suffix, paths, names: shortNames(paths), role, unit };
}

/** Returns dimension names: the paths without their common prefix. */
function shortNames(paths: readonly string[]): string[] {
  const split = paths.map((path) => path.split('.'));
  let shared = 0;
  while (split.every((parts) => parts.length > shared + 1 && parts[shared] === split[0][shared])) shared++;
  return split.map((parts) => parts.slice(shared).join('.'));
}

function pictureSpec(
  root: StructType,
  topic: string,
  layout: PictureSpec['layout'],
  format: string,
): PictureSpec | null {
  if (!has(root, 'data', format, ...(layout ?? []))) return null;
  const role = isDepthTopic(topic) ? 'depth' : 'camera';
  const video = root.name.endsWith('CompressedVideo');
  return { kind: 'picture', payload: 'data', format, layout, role, declared: video ? 'video' : 'picture' };
}

function opaqueMapper(role: StreamRole, reason: string): Mapper {
  return () => ({ kind: 'opaque', role, reason });
}

const rawImage: Mapper = (topic, _, root) =>
  pictureSpec(root, topic, ['height', 'width', 'step'], 'encoding');
const compressedImage: Mapper = (topic, _, root) => pictureSpec(root, topic, null, 'format');

/** Mappers of known message types, by the last part of the type name; shared by ROS 1, ROS 2 and Foxglove. */
const knownTopics: Readonly<Record<string, Mapper>> = {
  Image: rawImage,
  RawImage: rawImage,
  CompressedImage: compressedImage,
  CompressedVideo: compressedImage,
  FFMPEGPacket: (topic, _, root) => pictureSpec(root, topic, null, 'encoding'),
  CameraInfo: calibration,
  CameraCalibration: calibration,
  JointState: jointState,
  JointStates: jointStates,
  JointTrajectory: jointTrajectory,
  Imu: imu,
  NavSatFix: navSatFix,
  LocationFix: navSatFix,
  Odometry: odometry,
  PointCloud2: opaqueMapper('lidar', 'point clouds: only count and timing are checked, not the points'),
  PointCloud: opaqueMapper('lidar', 'point clouds: only count and timing are checked, not the points'),
  LaserScan: opaqueMapper('lidar', 'laser scans: only count and timing are checked, not the ranges'),
  MultiEchoLaserScan: opaqueMapper('lidar', 'laser scans: only count and timing are checked, not the ranges'),
  TFMessage: opaqueMapper('other', 'transforms: only count and timing are checked, they are not resolved'),
  tfMessage: opaqueMapper('other', 'transforms: only count and timing are checked, they are not resolved'),
  FrameTransform: opaqueMapper(
    'other',
    'transforms: only count and timing are checked, they are not resolved',
  ),
  FrameTransforms: opaqueMapper(
    'other',
    'transforms: only count and timing are checked, they are not resolved',
  ),
  OccupancyGrid: opaqueMapper('other', 'maps: only count and timing are checked, not the cells'),
  Log: (topic, _schema, root) => {
    const path = ['msg', 'message'].find((name) => typeAt(root, name)?.kind === 'string');
    return path === undefined ? null : { kind: 'text', path, use: isEventTopic(topic) ? 'event' : 'other' };
  },
  Event: (_topic, schema) =>
    schema === 'foxglove.Event' || schema === 'foxglove_msgs/Event'
      ? { kind: 'opaque', role: 'annotation', reason: 'events: only counted, their content is not read' }
      : null,
  Clock: opaqueMapper('other', 'simulated clock: only counted, not used'),
};

function calibration(_topic: string, _schema: string, root: StructType): TopicSpec | null {
  const fields: Record<string, string> = {};
  for (const [name, candidates] of [
    ['K', ['K', 'k']],
    ['D', ['D', 'd']],
    ['R', ['R', 'r']],
    ['P', ['P', 'p']],
    ['height_px', ['height']],
    ['width_px', ['width']],
  ] as const) {
    const found = candidates.find((candidate) => has(root, candidate));
    if (found !== undefined) fields[name] = found;
  }
  if (fields.K === undefined) return null;
  return { kind: 'calibration', fields, model: has(root, 'distortion_model') ? 'distortion_model' : null };
}

function jointState(topic: string, schema: string, root: StructType): TopicSpec | null {
  if (!has(root, 'name', 'position', 'velocity', 'effort')) return null;
  const role = numericRole(topic, schema);
  if (typeAt(root, 'position')?.kind !== 'array') return null;
  return { kind: 'numeric', groups: jointGroups(schema, role, ''), names: 'name' };
}

/** Maps foxglove.JointStates: a list of joints, each with optional position, velocity, acceleration and effort. */
function jointStates(topic: string, schema: string, root: StructType): TopicSpec | null {
  if (!has(root, 'joints[].name', 'joints[].position')) return null;
  return {
    kind: 'numeric',
    groups: jointGroups(schema, numericRole(topic, schema), 'joints[].'),
    names: 'joints[].name',
  };
}

function jointGroups(schema: string, role: StreamRole, prefix: string): GroupSpec[] {
  const radians = 'radians for revolute joints, metres for prismatic ones';
  const jointGroup = (suffix: string, unit: string, words: string): GroupSpec => ({
    suffix,
    paths: [`${prefix}${suffix}`],
    names: null,
    role: suffix === 'effort' && role === 'state' ? 'effort' : role,
    unit: fixedUnit(schema, unit, words),
  });
  return [
    jointGroup('position', 'rad', radians),
    jointGroup('velocity', 'rad/s', `${radians}, per second`),
    jointGroup('effort', 'N·m', 'newton metres for revolute joints, newtons for prismatic ones'),
  ];
}

function jointTrajectory(topic: string, schema: string, root: StructType): TopicSpec | null {
  if (!has(root, 'joint_names', 'points[].positions')) return null;
  const unit = fixedUnit(
    schema,
    'rad',
    'radians for revolute joints, metres for prismatic ones; the last point is the goal',
  );
  const goal = {
    suffix: '',
    paths: ['points[].positions'],
    names: null,
    role: numericRole(topic, schema),
    unit,
  };
  return { kind: 'numeric', groups: [{ ...goal, only: 'last' }], names: 'joint_names' };
}

function imu(_topic: string, schema: string, root: StructType): TopicSpec | null {
  const motion = [...xyz('angular_velocity'), ...xyz('linear_acceleration')];
  if (!has(root, ...motion)) return null;
  const groups = [
    { ...groupSpec('', motion, 'imu', fixedUnit(schema, 'mixed', 'rad/s, then m/s²')), names: motion },
  ];
  if (has(root, ...xyzw('orientation'))) {
    const unit = fixedUnit(schema, 'quaternion', 'a unit quaternion x, y, z, w');
    groups.push({
      ...groupSpec('orientation', xyzw('orientation'), 'attitude', unit),
      names: xyzw('orientation'),
      ...(has(root, 'orientation_covariance') ? { covariance: 'orientation_covariance' } : {}),
    });
  }
  return { kind: 'numeric', groups, names: null };
}

function navSatFix(_topic: string, schema: string, root: StructType): TopicSpec | null {
  const fix = ['latitude', 'longitude', 'altitude'];
  if (!has(root, ...fix)) return null;
  const unit = fixedUnit(schema, 'mixed', 'degrees, degrees, metres above the ellipsoid');
  return { kind: 'numeric', groups: [groupSpec('', fix, 'gnss', unit)], names: null };
}

function odometry(_topic: string, schema: string, root: StructType): TopicSpec | null {
  const pose = [...xyz('pose.pose.position'), ...xyzw('pose.pose.orientation')];
  const twist = [...xyz('twist.twist.linear'), ...xyz('twist.twist.angular')];
  if (!has(root, ...pose, ...twist)) return null;
  return {
    kind: 'numeric',
    groups: [
      groupSpec('pose', pose, 'odometry', fixedUnit(schema, 'mixed', 'metres, then a quaternion')),
      groupSpec('twist', twist, 'odometry', fixedUnit(schema, 'mixed', 'm/s, then rad/s')),
    ],
    names: null,
  };
}

/** Maps messages whose only content is a string or a bool, on topics that name a task, an event or an outcome. */
function textTopic(topic: string, root: StructType): TopicSpec | null {
  const content = root.fields.filter((field) => !/^(header|stamp|timestamp|timestamp_ns)$/.test(field.name));
  const strings = content.filter((field) => field.type.kind === 'string');
  const path =
    strings.length > 0 ? (strings.find((field) => field.name === 'data') ?? strings[0]).name : null;
  const flag = content.find((field) => field.type.kind === 'number');
  if (isOutcomeTopic(topic)) {
    if (path !== null) return { kind: 'text', path, use: 'outcome' };
    if (flag !== undefined) return { kind: 'outcome', path: flag.name };
  }
  if (path === null) return null;
  if (isTaskTopic(topic)) return { kind: 'text', path, use: 'task' };
  if (content.length > 1) return null;
  if (/robot_description$/.test(topic)) return { kind: 'text', path, use: 'robot' };
  return { kind: 'text', path, use: isEventTopic(topic) ? 'event' : 'other' };
}

function numericTopic(topic: string, schema: string, root: StructType): TopicSpec {
  const found = genericGroups(root);
  if (found.groups.length === 0) {
    return {
      kind: 'opaque',
      role: 'other',
      reason: `${schema} has no numeric fields that could be a signal`,
    };
  }
  const role = numericRole(topic, schema);
  const unit = schemaUnit(schema);
  const groups = found.groups.map((made) => ({ ...made, role, unit }));
  return { kind: 'numeric', groups, names: found.names };
}

function schemaUnit(schema: string): UnitOfMeasure {
  if (/^geometry_msgs\/(Accel|Twist|Wrench|Pose|Transform|Inertia)/.test(schema)) {
    return fixedUnit(schema, 'mixed', 'SI units, linear then angular (REP 103)');
  }
  if (/^geometry_msgs\/Point/.test(schema)) return fixedUnit(schema, 'm', 'metres (REP 103)');
  return unknownUnit;
}
