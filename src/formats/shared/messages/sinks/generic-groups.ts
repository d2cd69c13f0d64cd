import type { Field, FieldType, StructType } from '@assay/ros-messages';

interface GenericGroup {
  readonly suffix: string;
  readonly paths: readonly string[];
  readonly names: readonly string[] | null;
}

export interface GenericGroups {
  readonly groups: readonly GenericGroup[];
  readonly names: string | null;
}

const maxLeaves = 512;
/** So few single numbers stay together: a twist is one signal, not two. */
const maxTogether = 32;
const maxDepth = 12;

/**
 * Flattens a message of unknown meaning: its single numbers become one group for each struct at the top (a pose, a
 * twist) and one for the rest; every array of numbers becomes a group of its own. Stamps, covariances, layouts and
 * byte arrays are left out.
 */
export function genericGroups(root: StructType): GenericGroups {
  const walk: Walk = { scalars: new Map(), arrays: [], leaves: 0 };
  for (const field of root.fields) {
    if (field.type.kind === 'struct') descend(walk, field.type, field.name, field.name, 1);
    else leaf(walk, field, field.name, '');
  }
  if (walk.scalars.size > 1 && scalarCount(walk) <= maxTogether) {
    walk.scalars = new Map([['', [...walk.scalars.values()].flat()]]);
  }
  if (walk.leaves > maxLeaves) return { groups: [], names: null };
  const groups: GenericGroup[] = [...walk.scalars].map(([suffix, paths]) => ({
    suffix,
    paths,
    names: paths.map((path) => (suffix === '' ? path : path.slice(suffix.length + 1))),
  }));
  for (const path of walk.arrays) groups.push({ suffix: path, paths: [path], names: null });
  if (groups.length === 1) groups[0] = { ...groups[0], suffix: '' };
  return { groups, names: namesField(root) };
}

interface Walk {
  scalars: Map<string, string[]>;
  readonly arrays: string[];
  leaves: number;
}

const scalarCount = (walk: Walk): number =>
  [...walk.scalars.values()].reduce((sum, paths) => sum + paths.length, 0);

const leftOut = /^(header|stamp|timestamp|layout|seq|sequence|frame_id)$|covariance|_crc$|^is_bigendian$/i;

function descend(walk: Walk, type: StructType, path: string, suffix: string, depth: number): void {
  if (depth > maxDepth || walk.leaves > maxLeaves || leftOut.test(path.slice(path.lastIndexOf('.') + 1)))
    return;
  for (const field of type.fields) {
    const inner = `${path}.${field.name}`;
    if (field.type.kind === 'struct') descend(walk, field.type, inner, suffix, depth + 1);
    else leaf(walk, field, inner, suffix);
  }
}

function leaf(walk: Walk, field: Field, path: string, suffix: string): void {
  if (leftOut.test(field.name)) return;
  if (field.type.kind === 'number') {
    const group = walk.scalars.get(suffix);
    if (group === undefined) walk.scalars.set(suffix, [path]);
    else group.push(path);
    walk.leaves++;
  } else if (isSignal(field.type)) {
    walk.arrays.push(path);
    walk.leaves++;
  }
}

/** Arrays of numbers, bytes apart: those are payloads. */
function isSignal(type: FieldType): boolean {
  if (type.kind !== 'array' || type.of.kind !== 'number') return false;
  if (type.length !== null && type.length > maxLeaves) return false;
  return (
    !(type.of.type === 'uint8' || type.of.type === 'int8') || (type.length !== null && type.length <= 16)
  );
}

/** A list of strings called `name`, `names` or `joint_names` names what the arrays hold. */
function namesField(root: StructType): string | null {
  const field = root.fields.find(
    (candidate) =>
      /^(name|names|joint_name|joint_names)$/.test(candidate.name) &&
      candidate.type.kind === 'array' &&
      candidate.type.of.kind === 'string',
  );
  return field?.name ?? null;
}
