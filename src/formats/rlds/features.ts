import { AssayError, type JsonObject, type JsonValue } from '#core';
import type { StreamRole } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { detectPictureEncoding } from '../shared/embedded-pictures.ts';
import { featuresName, toInteger } from './dataset-info.ts';
import type { FeatureValues } from './example.ts';
import { featureMessage, isObject, readProtoJson } from './proto-json.ts';

/** One feature of an episode. */
export interface Leaf {
  /** Name in the Example: `steps/observation/state`. */
  readonly key: string;
  /** The same name without `steps/`. */
  readonly id: string;
  /** True: one value per step; false: one per episode. */
  readonly per_step: boolean;
  readonly kind: 'tensor' | 'image' | 'text' | 'other';
  /** Shape of one step; `null` for a size that varies. */
  readonly shape: readonly (number | null)[];
  /** NumPy name of the type: `float32`, `bool`; `null` if unknown. */
  readonly dtype: string | null;
  /** Encoding of a tensor's bytes. */
  readonly encoding: 'none' | 'bytes' | 'zlib';
  /** True if records may lack the feature. */
  readonly optional?: true;
}

const stepsKey = 'steps';
const maxDepth = 24;
const maxLeaves = 10_000;

/** Contents of features.json. */
interface DeclaredFeatures {
  /** Features, sorted by name. */
  readonly leaves: readonly Leaf[];
  /** Why TFDS refuses the file; empty if it reads it. */
  readonly refused: readonly string[];
}

/**
 * Returns the features that features.json declares, sorted by key, `null` if the file is absent or has an unknown form;
 * throws AssayError if it is not JSON. Also throws `limit_exceeded` if it nests too deeply or has too many features.
 */
export async function readFeatureTree(tree: SourceTree): Promise<DeclaredFeatures | null> {
  if (!tree.has(featuresName)) return null;
  const { value, refused } = await readProtoJson(tree, featuresName, featureMessage, { uniqueKeys: false });
  const leaves: Leaf[] = [];
  if (!isObject(value) || !isObject(value.featuresDict)) return null;
  collectLeaves(value, [], false, leaves, 0);
  return { leaves: leaves.sort((a, b) => (a.key < b.key ? -1 : 1)), refused };
}

function collectLeaves(
  node: JsonObject,
  path: readonly string[],
  ragged: boolean,
  into: Leaf[],
  depth: number,
): void {
  if (depth > maxDepth || into.length > maxLeaves) throw tooDeepError();
  const { featuresDict, sequence } = node;
  if (isObject(featuresDict) && isObject(featuresDict.features)) {
    for (const [name, child] of Object.entries(featuresDict.features))
      if (isObject(child)) collectLeaves(child, [...path, name], ragged, into, depth + 1);
  } else if (isObject(sequence) && isObject(sequence.feature)) {
    // The sequence of steps is the episode itself; a sequence within a step varies in length.
    const isSteps = path.length === 1 && path[0] === stepsKey;
    collectLeaves(sequence.feature, path, ragged || !isSteps, into, depth + 1);
  } else into.push(parseLeaf(node, path, ragged));
}

function tooDeepError(): AssayError {
  return new AssayError(
    'limit_exceeded',
    `${featuresName} is nested more than ${maxDepth} levels deep or has more than ${maxLeaves} features`,
    {
      path: featuresName,
      advice: 'check that this is the file that TFDS wrote',
    },
  );
}

function parseLeaf(node: JsonObject, path: readonly string[], ragged: boolean): Leaf {
  const per_step = path[0] === stepsKey && path.length > 1;
  const inner = ragged ? [null] : [];
  const names = { key: path.join('/'), id: path.slice(per_step ? 1 : 0).join('/'), per_step };
  const base = { ...names, shape: inner, dtype: null, encoding: 'none' as const };
  if (isObject(node.text)) return { ...base, kind: 'text' };
  if (isObject(node.image))
    return {
      ...base,
      kind: 'image',
      shape: [...inner, ...parseShape(node.image)],
      dtype: parseDtype(node.image),
    };
  if (isObject(node.classLabel)) return { ...base, kind: 'tensor', dtype: 'int64' };
  if (!isObject(node.tensor)) return { ...base, kind: 'other' };
  const dtype = parseDtype(node.tensor);
  return {
    ...base,
    kind: dtype === 'string' || dtype === 'object' ? 'text' : 'tensor',
    shape: [...inner, ...parseShape(node.tensor)],
    dtype,
    encoding:
      node.tensor.encoding === 'bytes' || node.tensor.encoding === 'zlib' ? node.tensor.encoding : 'none',
    ...(node.tensor.optional === true ? { optional: true } : {}),
  };
}

function parseDtype({ dtype }: JsonObject): string | null {
  return typeof dtype === 'string' ? dtype : null;
}

function parseShape({ shape }: JsonObject): (number | null)[] {
  const sizes: readonly JsonValue[] =
    isObject(shape) && Array.isArray(shape.dimensions) ? shape.dimensions : [];
  return sizes.map((size) => {
    const number = toInteger(size);
    return number === null || number < 0 ? null : number;
  });
}

type Example = ReadonlyMap<string, FeatureValues>;

const flagKeys = ['steps/is_first', 'steps/is_last', 'steps/is_terminal'];
const raggedPart = /\/ragged_(flat_values|row_lengths_\d+)$/;

/** Returns the number of steps: the length of a step flag, else the count that fits most features; 0 if unknown. */
export function countSteps(example: Example, leaves: readonly Leaf[]): number {
  for (const key of flagKeys) {
    const count = example.get(key)?.count;
    if (count !== undefined) return count;
  }
  const votes = new Map<number, number>();
  for (const { key, per_step, shape } of leaves) {
    const count = example.get(key)?.count;
    const width = shape.reduce<number>((a, b) => a * (b ?? 0), 1);
    const rows = count === undefined || width === 0 ? null : count / width;
    if (per_step && rows !== null && Number.isInteger(rows)) votes.set(rows, (votes.get(rows) ?? 0) + 1);
  }
  return [...votes].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 0;
}

/** Infers features from an Example, for datasets without features.json; shapes are flat. */
export function inferLeaves(example: Example): Leaf[] {
  const steps = flagKeys.map((key) => example.get(key)?.count).find((count) => count !== undefined) ?? null;
  const keys = new Set([...example.keys()].map((key) => key.replace(raggedPart, '')));
  return [...keys].sort().map((key) => {
    const per_step = key.startsWith('steps/');
    const values = example.get(key);
    const id = per_step ? key.slice('steps/'.length) : key;
    const base = { key, id, per_step, dtype: null, encoding: 'none' as const };
    if (values === undefined) return { ...base, kind: 'tensor', shape: [null] };
    if (values.kind === 'bytes') return { ...base, kind: isPicture(values) ? 'image' : 'text', shape: [] };
    const isEven = per_step && steps !== null && steps > 0 && values.count % steps === 0;
    return { ...base, kind: 'tensor', shape: isEven && values.count !== steps ? [values.count / steps] : [] };
  });
}

function isPicture(values: FeatureValues): boolean {
  return values.count > 0 && detectPictureEncoding(values.bytes(0)) !== 'unknown';
}

/** Roles by feature path; the first match counts. Paths are those of RLDS: `observation/…`, `action…`, `reward`. */
const roleRules: readonly (readonly [RegExp, StreamRole])[] = [
  [/embedding|(^|\/)discount$/, 'other'],
  [/terminate|(^|\/)is_(first|last|terminal)$/, 'annotation'],
  [/(^|\/)reward$/, 'reward'],
  [/^actions?(_dict)?($|\/)/, 'action'],
  [/effort|torque|force|wrench/, 'effort'],
  [/tactile/, 'tactile'],
  [/(^|\/)(imu|accel|gyro)/, 'imu'],
  [
    /^observation\/.*(state|joint|pos|orientation|rotation|cartesian|gripper|eef|effector|tcp|proprio|velocity|robot|arm|ee_)/,
    'state',
  ],
  [/^(proprio|state)$/, 'state'],
];

/** Returns the stream role of a feature by its name; `other` if no rule matches. */
export function featureRole({ id, kind }: Leaf): StreamRole {
  if (kind === 'image') return /depth/i.test(id) ? 'depth' : 'camera';
  const name = id.toLowerCase();
  return roleRules.find(([pattern]) => pattern.test(name))?.[1] ?? 'other';
}

/** True if the name of a text feature is that of an instruction. */
export function isInstruction(id: string): boolean {
  return /instruction|(^|\/)(language|task|goal)(_text|_description|_name)?$/i.test(id);
}
