import type { StreamRole } from '#core/episode';
import type { TopicField } from '../../shared/messages/mapped-topics.ts';
import { ignoredFields } from '../../shared/messages/sinks/generic-groups.ts';
import { numericRole } from '../../shared/messages/topic-roles.ts';
import { guessRole } from './meaning.ts';

/** A proposed stream of a topic. */
export interface TopicStreamGuess {
  /** Part of the message; '' for the only stream of a topic. */
  readonly suffix: string;
  readonly role: StreamRole;
  readonly columns: readonly string[];
  readonly unit: string | null;
  readonly because: string;
}

/** Fields that are one signal wherever they occur together in a message. */
interface FieldPattern {
  readonly suffix: string;
  readonly fields: readonly string[];
  /** Role of the signal; `null` if only the topic can tell. */
  readonly role: StreamRole | null;
  readonly unit: string;
  readonly because: string;
}

const xyz = (name: string): string[] => ['x', 'y', 'z'].map((axis) => `${name}.${axis}`);
const xyzw = (name: string): string[] => ['x', 'y', 'z', 'w'].map((axis) => `${name}.${axis}`);

/** Larger patterns come before their parts. */
const patterns: readonly FieldPattern[] = [
  {
    suffix: '',
    fields: [...xyz('angular_velocity'), ...xyz('linear_acceleration')],
    ...{ role: 'imu', unit: 'mixed', because: 'rotation rates and accelerations' },
  },
  {
    suffix: '',
    fields: ['latitude', 'longitude', 'altitude'],
    ...{ role: 'gnss', unit: 'mixed', because: 'latitude and longitude' },
  },
  {
    suffix: 'pose',
    fields: [...xyz('pose.pose.position'), ...xyzw('pose.pose.orientation')],
    ...{ role: 'odometry', unit: 'mixed', because: 'a pose with covariance' },
  },
  {
    suffix: 'pose',
    fields: [...xyz('position'), ...xyzw('orientation')],
    ...{ role: null, unit: 'mixed', because: 'a position and a quaternion' },
  },
  {
    suffix: 'transform',
    fields: [...xyz('translation'), ...xyzw('rotation')],
    ...{ role: null, unit: 'mixed', because: 'a translation and a quaternion' },
  },
  {
    suffix: 'wrench',
    fields: [...xyz('force'), ...xyz('torque')],
    ...{ role: 'effort', unit: 'mixed', because: 'forces and torques' },
  },
  {
    suffix: 'twist',
    fields: [...xyz('linear'), ...xyz('angular')],
    ...{ role: null, unit: 'mixed', because: 'linear and angular motion' },
  },
  {
    suffix: 'orientation',
    fields: xyzw('orientation'),
    ...{ role: 'attitude', unit: 'quaternion', because: 'a quaternion' },
  },
  {
    suffix: '',
    fields: xyz('magnetic_field'),
    ...{ role: 'imu', unit: 'T', because: 'a magnetic field' },
  },
];

/** Units of the lists of joints in one message. */
const jointLists: readonly (readonly [RegExp, unit: string, role: StreamRole | null])[] = [
  [/^(joint_?)?(positions?|angles?|q|qpos)$/i, 'rad', null],
  [/^(joint_?)?(velocit(y|ies)|dq|qvel)$/i, 'rad/s', null],
  [/^(joint_?)?(efforts?|torques?|tau)$/i, 'N·m', 'effort'],
];

/** Up to this many numbers beside the known patterns are one stream. */
const maxScalars = 32;

/**
 * Guesses the streams of a topic from its name, its message type and the names of its fields; empty if no field is a
 * signal.
 * @param type empty if it is unknown
 */
export function guessTopicStreams(
  topic: string,
  type: string,
  fields: readonly TopicField[],
): TopicStreamGuess[] {
  const signals = fields.filter(
    ({ path, kind }) =>
      kind !== 'payload' && !path.split('.').some((part) => ignoredFields.test(part.replace(/\[.*$/, ''))),
  );
  const hasCovariance = fields.some(({ path }) => /covariance/i.test(path));
  const remaining = new Map(signals.map((field) => [field.path, field]));
  const found: TopicStreamGuess[] = [];
  for (const pattern of patterns)
    for (const columns of occurrences(pattern, remaining)) {
      for (const path of columns) remaining.delete(path);
      const role =
        pattern.role === null
          ? motionRole(topic, type, pattern, hasCovariance)
          : roleOf(topic, type, pattern.role);
      const { suffix, unit, because } = pattern;
      found.push({ suffix, unit, because, role, columns });
    }
  found.push(...jointStreams(topic, type, remaining));
  // Beside a known signal, single numbers are its state or settings.
  found.push(...restStreams(topic, type, [...remaining.values()], found.length === 0));
  return found.length === 1 ? [{ ...found[0], suffix: '' }] : uniqueSuffixes(found);
}

/** Returns the fields of each occurrence of a pattern, below different parts of the message. */
function* occurrences(
  { fields: [first, ...more] }: FieldPattern,
  remaining: ReadonlyMap<string, TopicField>,
): Generator<string[]> {
  for (const path of [...remaining.keys()]) {
    if (path !== first && !path.endsWith(`.${first}`)) continue;
    const prefix = path.slice(0, path.length - first.length);
    const columns = [path, ...more.map((field) => prefix + field)];
    if (columns.every((column) => remaining.has(column))) yield columns;
  }
}

/** Returns `action` for a topic that is named as a command, else the role of its fields. */
function roleOf(topic: string, type: string, fallback: StreamRole): StreamRole {
  const named = type === '' ? guessRole(topic).value : numericRole(topic, type);
  return named === 'action' ? named : fallback;
}

/** Returns the role of a pattern that may be a command or a measurement. */
function motionRole(
  topic: string,
  type: string,
  { suffix }: FieldPattern,
  hasCovariance: boolean,
): StreamRole {
  const named = type === '' ? guessRole(topic).value : numericRole(topic, type);
  // Frames of a scene, of which the robot's is only one.
  if (suffix === 'transform') return named === 'action' ? named : 'other';
  if (named !== 'other' || suffix !== 'twist' || /accel/i.test(topic)) return named;
  return hasCovariance ? 'odometry' : 'action';
}

/**
 * Returns streams of lists of joint positions, velocities and efforts in one message, and removes them from
 * `remaining`.
 */
function jointStreams(topic: string, type: string, remaining: Map<string, TopicField>): TopicStreamGuess[] {
  const lists = [...remaining.values()].filter(({ kind }) => kind === 'list');
  const named = lists.flatMap(({ path }) => {
    const last = path.slice(path.lastIndexOf('.') + 1);
    const found = jointLists.find(([pattern]) => pattern.test(last));
    return found === undefined ? [] : [{ path, last, unit: found[1], role: found[2] }];
  });
  if (named.length < 2 && !/joint/i.test(topic)) return [];
  const topicRole = type === '' ? guessRole(topic).value : numericRole(topic, type);
  const role = topicRole === 'other' ? 'state' : topicRole;
  return named.map(({ path, last, unit, role: own }) => {
    remaining.delete(path);
    return {
      ...{ suffix: last, columns: [path], unit, because: 'a list of joints' },
      role: own !== null && role === 'state' ? own : role,
    };
  });
}

/** Returns streams of the other fields: the single numbers together, and each list. */
function restStreams(
  topic: string,
  type: string,
  fields: readonly TopicField[],
  isAlone: boolean,
): TopicStreamGuess[] {
  const isBattery = fields.some(({ path }) => /(^|\.)(voltage|percentage|cell_voltage)$/i.test(path));
  const guessed =
    type === '' ? guessRole(topic) : { value: numericRole(topic, type), because: 'from its name' };
  const { value: role, because } = isBattery
    ? { value: 'other' as const, because: 'voltage and charge' }
    : guessed;
  const scalars = fields.flatMap(({ path, kind }) =>
    kind === 'number' && !path.includes('[') ? [path] : [],
  );
  const lists = fields.filter(({ path, kind }) => kind === 'list' && !path.includes('['));
  const groups =
    scalars.length <= maxScalars ? [['', scalars] as const] : [...Map.groupBy(scalars, firstPart)];
  const isOneList = lists.length === 1;
  const streams = [
    ...lists.map(({ path }) => ({ suffix: isOneList ? '' : path, columns: [path] })),
    ...groups.flatMap(([suffix, columns]) =>
      columns.length === 0 ? [] : [{ suffix: isOneList && suffix === '' ? 'numbers' : suffix, columns }],
    ),
  ];
  if (streams.length === 0 && isAlone) {
    const first = fields.find(({ path }) => signalField.test(path)) ?? fields[0];
    if (first !== undefined) streams.push({ suffix: '', columns: [first.path] });
  }
  return streams.map((stream) => ({ ...stream, role, because, unit: restUnit(topic, stream.columns) }));
}

const signalField = /(^|[.\]])(positions?|q|qpos|joints?|joint_\w+|angles?|pose|data|values?)$/i;
const firstPart = (path: string): string => path.slice(0, Math.max(0, path.indexOf('.')));

/** Returns the unit of a plain point or pose in the plane; `null` for others. */
function restUnit(topic: string, columns: readonly string[]): string | null {
  const axes = columns.map((path) => path.slice(path.lastIndexOf('.') + 1)).join(' ');
  if (axes === 'x y theta') return 'mixed';
  return axes === 'x y z' && /point|position|(^|[/_])pos([/_]|$)/i.test(topic) ? 'm' : null;
}

function uniqueSuffixes(streams: readonly TopicStreamGuess[]): TopicStreamGuess[] {
  const used = new Set<string>();
  return streams.map((stream) => {
    let { suffix } = stream;
    for (let n = 2; used.has(suffix); n++) suffix = `${stream.suffix === '' ? 'values' : stream.suffix}_${n}`;
    used.add(suffix);
    return { ...stream, suffix };
  });
}
