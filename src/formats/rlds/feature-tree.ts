import { AssayError, type JsonObject, type JsonValue, parseTolerantJson } from '#core';
import type { SourceTree } from '#io/sources';
import { featuresName, integer, isObject } from './dataset-info.ts';

/** One feature of an episode. */
export interface Leaf {
  /** Its name in the Example: `steps/observation/state`. */
  readonly key: string;
  /** The same without `steps/`. */
  readonly id: string;
  /** Once a step, or once an episode. */
  readonly per_step: boolean;
  readonly kind: 'tensor' | 'image' | 'text' | 'other';
  /** Of one step; null for a size that differs from step to step. */
  readonly shape: readonly (number | null)[];
  /** As NumPy calls it: `float32`, `bool`; null where nothing says it. */
  readonly dtype: string | null;
  /** How a tensor's bytes are packed. */
  readonly encoding: 'none' | 'bytes' | 'zlib';
  /** A record may do without. */
  readonly optional?: true;
}

const stepsKey = 'steps';
const mostDepth = 24;
const mostLeaves = 10_000;

/** The features that features.json declares, in order of their names; null where there is none, or of no known form. */
export async function readFeatureTree(tree: SourceTree): Promise<readonly Leaf[] | null> {
  if (!tree.has(featuresName)) return null;
  const { value } = parseTolerantJson(await tree.text(featuresName, 16 * 1024 * 1024), featuresName);
  const leaves: Leaf[] = [];
  if (!isObject(value) || !isObject(value.featuresDict)) return null;
  collect(value, [], false, leaves, 0);
  return leaves.sort((a, b) => (a.key < b.key ? -1 : 1));
}

function collect(
  node: JsonObject,
  path: readonly string[],
  ragged: boolean,
  into: Leaf[],
  depth: number,
): void {
  if (depth > mostDepth || into.length > mostLeaves) throw tooDeep();
  const { featuresDict, sequence } = node;
  if (isObject(featuresDict) && isObject(featuresDict.features)) {
    for (const [name, child] of Object.entries(featuresDict.features))
      if (isObject(child)) collect(child, [...path, name], ragged, into, depth + 1);
  } else if (isObject(sequence) && isObject(sequence.feature)) {
    // The sequence of the steps themselves is the episode; one within a step has another length at each.
    const isSteps = path.length === 1 && path[0] === stepsKey;
    collect(sequence.feature, path, ragged || !isSteps, into, depth + 1);
  } else into.push(leafOf(node, path, ragged));
}

function tooDeep(): AssayError {
  return new AssayError(
    'limit_exceeded',
    `${featuresName} nests more than ${mostDepth} deep or names more than ${mostLeaves} features`,
    {
      path: featuresName,
      advice: 'check that it is the file that TFDS wrote',
    },
  );
}

function leafOf(node: JsonObject, path: readonly string[], ragged: boolean): Leaf {
  const per_step = path[0] === stepsKey && path.length > 1;
  const inner = ragged ? [null] : [];
  const place = { key: path.join('/'), id: path.slice(per_step ? 1 : 0).join('/'), per_step };
  const none = { ...place, shape: inner, dtype: null, encoding: 'none' as const };
  if (isObject(node.text)) return { ...none, kind: 'text' };
  if (isObject(node.image))
    return { ...none, kind: 'image', shape: [...inner, ...shapeOf(node.image)], dtype: dtypeOf(node.image) };
  if (isObject(node.classLabel)) return { ...none, kind: 'tensor', dtype: 'int64' };
  if (!isObject(node.tensor)) return { ...none, kind: 'other' };
  const dtype = dtypeOf(node.tensor);
  return {
    ...none,
    kind: dtype === 'string' || dtype === 'object' ? 'text' : 'tensor',
    shape: [...inner, ...shapeOf(node.tensor)],
    dtype,
    encoding:
      node.tensor.encoding === 'bytes' || node.tensor.encoding === 'zlib' ? node.tensor.encoding : 'none',
    ...(node.tensor.optional === true ? { optional: true } : {}),
  };
}

function dtypeOf({ dtype }: JsonObject): string | null {
  return typeof dtype === 'string' ? dtype : null;
}

function shapeOf({ shape }: JsonObject): (number | null)[] {
  const sizes: readonly JsonValue[] =
    isObject(shape) && Array.isArray(shape.dimensions) ? shape.dimensions : [];
  return sizes.map((size) => {
    const number = integer(size);
    return number === null || number < 0 ? null : number;
  });
}
