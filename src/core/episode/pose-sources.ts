import type { Stream } from './stream.ts';

/** Kinds of things whose pose a recording can hold, the most useful first. */
const poseKinds = ['end_effector', 'object', 'camera', 'base', 'other'] as const;
type PoseKind = (typeof poseKinds)[number];

/** Facts of a stream by which poses are recognised. */
export type PoseStream = Pick<Stream, 'id' | 'role' | 'modality' | 'shape' | 'names' | 'unit'>;

/** Dimensions that hold an orientation, and how they are read. */
export interface OrientationSource {
  readonly stream_id: string;
  /** `quaternion`: x, y, z, w. `euler`: rotations about the fixed axes x, y, z. `axis_angle`: axis times angle in rad. */
  readonly type: 'quaternion' | 'euler' | 'axis_angle';
  readonly dimensions: readonly number[];
}

/** Dimensions that hold a position, and an orientation if there is one. */
export interface PoseSource {
  readonly kind: PoseKind;
  /** Name for people, such as `Left end effector`. Unique. */
  readonly label: string;
  readonly stream_id: string;
  /** Dimensions of x, y and z; `matrix` for rows that hold a 4 × 4 transform. */
  readonly position: readonly [number, number, number] | 'matrix';
  /** Metres per unit of the recording; `null` if the unit is unknown. */
  readonly unit_m: number | null;
  /** True if z points down by the format's convention. */
  readonly is_z_down: boolean;
  readonly orientation: OrientationSource | null;
  /** Dimensions that must be a unit quaternion in every row, or this is no pose. */
  readonly proof: readonly number[] | null;
  /** Reason why the orientation is not read; `null` if it is, or if none is recorded. */
  readonly orientation_problem: string | null;
}

const placeWord = /^(pos|positions?|poses?|xyz|translation|location|coordinates)$/;
const rotationWord =
  /^(orientations?|quats?|quaternions?|rot|rotations?|euler|rpy|axis|angle|rotvec|q|wxyz|xyzw)$/;
/** Matches words that name end effectors but never joints. */
const effectorWord = /^(eef\d?|ee|tcp|flange|tool|cartesian|endpose|endeffector)$/;
const handWord = /^(end|effector|hand|wrist|palm|gripper)$/;
const objectWord = /^(objects?|obj|cubes?|blocks?)$/;
const cameraWord = /^(camera|cam|headset)$/;
const baseWord = /^(base|odom|odometry|ego|root|pelvis|chassis)$/;
/** Matches words of streams and dimensions that are no measured position, although they may have x, y and z. */
const otherWord =
  /^(joints?|qpos|qvel|jpos|vel|velocity|velocities|speeds?|twist|acc|accel|accelerations?|forces?|torques?|wrench|efforts?|fingers?|knuckle|motors?|servos?|targets?|goals?|desired|commands?|commanded|cmd|setpoints?|reference|ref|actions?|delta|errors?|rel|relative|std|variance|cov|covariance|pixels?|px|images?|uv|bbox|normals?|bias|gravity|mag|magnetic|angular|linear|rate|limits?|offset|home|waist|neck|legs?|knee|ankle|hip|shoulder|elbow)$/;
const sideWord = /^(left|right|l|r|(robot|arm)_?\d)$/;
const poseRoles: readonly string[] = ['state', 'odometry', 'other'];

/** Splits a name into lower-case words: `leftEef_pos.x` is left, eef, pos, x. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');

/**
 * Finds the poses of an episode by the names, shapes and units of its streams; at most one per label, the best documented
 * first. Joint angles, velocities, commands and targets are never taken for positions: three numbers count only if their
 * names are x, y and z, or if the stream is named as a position of something. Without dimension names, transforms and
 * quaternions are recognised by shape, which readers of the values have to prove (`proof`, `matrix`).
 */
export function findPoseSources(streams: readonly PoseStream[]): PoseSource[] {
  const candidates = streams
    .filter(({ modality, role }) => modality === 'numeric' && poseRoles.includes(role))
    .filter(({ id }) => !wordsOf(id).some((word) => otherWord.test(word)))
    .flatMap((stream) => (hasNames(stream) ? posesByName(stream) : posesByShape(stream)))
    .map((source) => addOrientation(source, streams));
  const rank = (source: PoseSource & { readonly role: string }) =>
    10 * poseKinds.indexOf(source.kind) +
    (source.orientation === null && source.position !== 'matrix' ? 4 : 0) +
    (source.unit_m === null ? 2 : 0) +
    (source.role === 'other' ? 1 : 0);
  const byLabel = new Map<string, PoseSource>();
  for (const { role: _, subject: __, ...source } of candidates.toSorted((a, b) => rank(a) - rank(b)))
    if (!byLabel.has(source.label)) byLabel.set(source.label, source);
  return [...byLabel.values()];
}

/** A pose before the search for its orientation in other streams. */
type Candidate = PoseSource & { readonly role: string; readonly subject: string };

/** True if the dimensions have names that are more than numbers. */
const hasNames = ({ names }: PoseStream): boolean =>
  names?.some((name) => /[a-z]/i.test(name) && !/\d\W?$/.test(name)) ?? false;

/** True if the name of a dimension shows that it is no measured position, as in `joint_1`. */
const hasOtherNames = ({ names }: PoseStream): boolean =>
  names?.some((name) => wordsOf(name).some((word) => otherWord.test(word))) ?? false;

interface Component {
  /** Words of the name without those of position, rotation and unit. */
  readonly subject: string;
  readonly type: 'position' | OrientationSource['type'] | 'rotation';
  readonly axis: string;
  readonly words: readonly string[];
  readonly dimension: number;
}

/** Reads what a dimension holds by its name; `null` if it is no component of a pose. */
function readComponent(name: string, dimension: number, isRotation: boolean): Component | null {
  const all = wordsOf(name);
  const words = all.length > 1 && /^(m|cm|mm|rad)$/.test(all.at(-1)!) ? all.slice(0, -1) : all;
  const last = words.at(-1) ?? '';
  const rest = words.slice(0, -1);
  if (rest.some((word) => otherWord.test(word))) return null;
  const subject = rest.filter((word) => !placeWord.test(word) && !rotationWord.test(word)).join(' ');
  const component = (type: Component['type'], axis: string) => ({
    subject,
    type,
    axis,
    words: rest,
    dimension,
  });
  if (/^q[wxyz]$/.test(last)) return component('quaternion', last[1]);
  const fixed = ['roll', 'pitch', 'yaw'].indexOf(last);
  if (fixed >= 0) return component('euler', 'xyz'[fixed]);
  if (!/^p?[xyzw]$/.test(last)) return null;
  const axis = last.at(-1)!;
  const isPlace = rest.some((word) => placeWord.test(word));
  if (rest.includes('euler') || rest.includes('rpy')) return component('euler', axis);
  if (rest.includes('axis') || rest.includes('rotvec')) return component('axis_angle', axis);
  if (!isPlaceLast(rest) && (rest.some((word) => rotationWord.test(word)) || (isRotation && !isPlace)))
    return component('rotation', axis);
  return axis === 'w' ? null : component('position', axis);
}

/** True if the last word about position or rotation is one of position. */
const isPlaceLast = (words: readonly string[]): boolean =>
  placeWord.test(words.findLast((word) => placeWord.test(word) || rotationWord.test(word)) ?? '');

function listComponents({ id, names, unit }: PoseStream): Component[] {
  const words = wordsOf(id);
  const isRotation =
    /^quaternion/.test(unit.unit) || (words.some((word) => rotationWord.test(word)) && !isPlaceLast(words));
  return (names ?? []).flatMap((name, dimension) => readComponent(name, dimension, isRotation) ?? []);
}

/** Returns the dimensions of `axes` in order; `null` if one is absent or ambiguous. */
function pickAxes(components: readonly Component[], axes: string): number[] | null {
  const found = [...axes].map((axis) => components.filter((component) => component.axis === axis));
  return found.every(({ length }) => length === 1) ? found.map(([{ dimension }]) => dimension) : null;
}

function posesByName(stream: PoseStream): Candidate[] {
  const components = listComponents(stream);
  const subjects = new Set(
    components.filter(({ type }) => type === 'position').map(({ subject }) => subject),
  );
  return [...subjects].flatMap((subject) => {
    const own = components.filter((component) => component.subject === subject);
    const places = own.filter(({ type }) => type === 'position');
    const position = pickAxes(places, 'xyz');
    const unit = lengthUnit(stream);
    if (position === null || unit === 'no length') return [];
    const orientation = readOrientation(stream.id, own);
    const words = [...wordsOf(stream.id), ...places.flatMap((place) => place.words)];
    const isNamed = words.some((word) => placeWord.test(word) || effectorWord.test(word));
    const isStated = unit.unit_m !== null && stream.unit.unit !== 'mixed';
    if (!isNamed && !isStated && orientation === null) return [];
    const hasGripper = stream.names?.some((name) => /gripper/i.test(name)) ?? false;
    const [x, y, z] = position;
    return [
      {
        ...describe(stream, [...wordsOf(stream.id), ...wordsOf(subject)], hasGripper),
        ...{
          ...unit,
          subject,
          position: [x, y, z] as const,
          orientation,
          proof: null,
          orientation_problem: null,
        },
      },
    ];
  });
}

/** Returns the orientation among components of one subject. */
function readOrientation(stream_id: string, components: readonly Component[]): OrientationSource | null {
  const ofType = (...types: Component['type'][]) => components.filter(({ type }) => types.includes(type));
  const quaternion = pickAxes(ofType('quaternion'), 'xyzw') ?? pickAxes(ofType('rotation'), 'xyzw');
  if (quaternion !== null) return { stream_id, type: 'quaternion', dimensions: quaternion };
  const euler = pickAxes(ofType('euler'), 'xyz');
  if (euler !== null) return { stream_id, type: 'euler', dimensions: euler };
  const axis = pickAxes(ofType('axis_angle'), 'xyz');
  return axis === null ? null : { stream_id, type: 'axis_angle', dimensions: axis };
}

/** Returns the pose of a stream without dimension names. */
function posesByShape(stream: PoseStream): Candidate[] {
  const words = wordsOf(stream.id);
  const has = (pattern: RegExp) => words.some((word) => pattern.test(word));
  const unit = lengthUnit(stream);
  const dims = stream.shape.reduce((product, length) => product * length, 1);
  if (unit === 'no length' || hasOtherNames(stream)) return [];
  const common = { ...describe(stream, words, false), ...unit, subject: '', proof: null, orientation: null };
  const first = [0, 1, 2] as const;
  const isPose = has(/^(poses?|endpose|transforms?)$/);
  if (dims === 16 && (isPose || has(/^matrix$/)))
    return [{ ...common, position: 'matrix', orientation_problem: null }];
  if (dims === 7 && (isPose || (has(placeWord) && has(/^quat/)))) {
    const proof = [3, 4, 5, 6];
    const orientation = quaternionBy(stream, proof);
    return [
      {
        ...common,
        position: first,
        proof,
        orientation,
        orientation_problem: orientation === null ? orderUnknown : null,
      },
    ];
  }
  if (has(/^gripper$/)) return [];
  if (dims === 6 && has(effectorWord) && (isPose || has(/^cartesian$/)))
    return [
      { ...common, position: first, orientation_problem: 'the recording does not say which angles it holds' },
    ];
  const isThing = has(effectorWord) || has(objectWord) || has(baseWord) || unit.unit_m !== null;
  if (dims === 3 && has(placeWord) && !has(rotationWord) && isThing)
    return [{ ...common, position: first, orientation_problem: null }];
  return [];
}

const orderUnknown = 'the recording does not say whether its quaternion begins or ends with w';

/** Returns four dimensions as a quaternion if names or unit of the stream say in which order; else `null`. */
function quaternionBy({ id, unit }: PoseStream, [a, b, c, d]: readonly number[]): OrientationSource | null {
  const text = `${wordsOf(id).join(' ')} ${unit.unit} ${unit.reason}`;
  if (/w,? ?x,? ?y,? ?z/.test(text)) return { stream_id: id, type: 'quaternion', dimensions: [b, c, d, a] };
  if (/x,? ?y,? ?z,? ?w/.test(text)) return { stream_id: id, type: 'quaternion', dimensions: [a, b, c, d] };
  return null;
}

/**
 * Adds the orientation from the stream whose name corresponds to that of the position, such as `eef_quat` for
 * `eef_pos`.
 */
function addOrientation(source: Candidate, streams: readonly PoseStream[]): Candidate {
  if (source.orientation !== null || source.orientation_problem !== null || source.position === 'matrix')
    return source;
  const stem = (id: string) =>
    wordsOf(id)
      .filter((word) => !placeWord.test(word) && !rotationWord.test(word))
      .join(' ');
  for (const stream of streams) {
    const isOwn = stream.id === source.stream_id || stem(stream.id) !== stem(source.stream_id);
    if (isOwn || !wordsOf(stream.id).some((word) => rotationWord.test(word))) continue;
    if (hasNames(stream)) {
      const own = listComponents(stream).filter(({ subject }) => subject === source.subject);
      const orientation = readOrientation(stream.id, own);
      if (orientation !== null) return { ...source, orientation };
      continue;
    }
    const dims = stream.shape.reduce((product, length) => product * length, 1);
    if (dims === 4) {
      const orientation = quaternionBy(stream, [0, 1, 2, 3]);
      return { ...source, orientation, orientation_problem: orientation === null ? orderUnknown : null };
    }
    if (dims === 3 && /axis_?angle|rotvec/.test(stream.id))
      return { ...source, orientation: { stream_id: stream.id, type: 'axis_angle', dimensions: [0, 1, 2] } };
  }
  return source;
}

/** Returns the unit of positions; `no length` if the unit is known and not one of length. */
function lengthUnit({ unit }: PoseStream): Pick<PoseSource, 'unit_m' | 'is_z_down'> | 'no length' {
  const is_z_down = /\bdown\b/.test(unit.reason);
  const isKnown = unit.evidence === 'declared' || unit.evidence === 'known_format';
  // Ranges of numbers tell angles of joints, not whether other dimensions are lengths.
  if (!isKnown || unit.unit === 'unknown') return { unit_m: null, is_z_down };
  if (unit.unit === 'mixed')
    return { unit_m: /\bmet(re|er)s\b|\bin m\b|\bSI units\b/.test(unit.reason) ? 1 : null, is_z_down };
  const factor = ({ m: 1, metres: 1, meters: 1, cm: 0.01, mm: 0.001 } as Readonly<Record<string, number>>)[
    unit.unit
  ];
  return factor === undefined ? 'no length' : { unit_m: factor, is_z_down };
}

function describe(
  { id, role }: PoseStream,
  words: readonly string[],
  hasGripper: boolean,
): Pick<Candidate, 'kind' | 'label' | 'stream_id' | 'role'> {
  const has = (pattern: RegExp) => words.some((word) => pattern.test(word));
  const kind = kindBy(has, role, hasGripper);
  return { kind, label: labelOf(kind, id, words), stream_id: id, role };
}

function kindBy(has: (pattern: RegExp) => boolean, role: string, hasGripper: boolean): PoseKind {
  if (has(cameraWord)) return 'camera';
  if (has(objectWord)) return 'object';
  if (has(effectorWord) || has(handWord)) return 'end_effector';
  if (has(baseWord) || role === 'odometry') return 'base';
  return hasGripper ? 'end_effector' : 'other';
}

const titles: Readonly<Record<Exclude<PoseKind, 'object' | 'other'>, string>> = {
  end_effector: 'end effector',
  camera: 'camera',
  base: 'base',
};

function labelOf(kind: PoseKind, id: string, words: readonly string[]): string {
  if (kind === 'other') return id;
  if (kind === 'object') return objectName(id);
  const side = words.find((word) => sideWord.test(word));
  const long = side === 'l' ? 'left' : side === 'r' ? 'right' : side;
  const text = long === undefined ? titles[kind] : `${long.replace(/(\d)$/, ' $1')} ${titles[kind]}`;
  return text[0].toUpperCase() + text.slice(1);
}

/** Returns the name of an object: the last part of the id that says more than that it is a pose. */
function objectName(id: string): string {
  const isGeneric = (word: string) => placeWord.test(word) || baseWord.test(word) || /^rigid$/.test(word);
  const parts = id.split(/[/.]/).map((part) =>
    wordsOf(part)
      .filter((word) => !isGeneric(word))
      .join(' '),
  );
  const name = parts.findLast((part) => part !== '') ?? id;
  return name[0].toUpperCase() + name.slice(1);
}
