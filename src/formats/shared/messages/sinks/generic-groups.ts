import type { Field, FieldType, StructType } from '@assay/ros-messages';

interface GenericGroup {
  readonly suffix: string;
  readonly paths: readonly string[];
  readonly names: readonly string[] | null;
}

/** Groups of numeric fields of a message, and the path of the list that names their dimensions. */
export interface GenericGroups {
  readonly groups: readonly GenericGroup[];
  readonly names: string | null;
}

const maxLeaves = 512;
/** Up to this many scalar fields form a single group: a twist is one signal, not two. */
const maxMergedScalars = 32;
const maxDepth = 12;

/**
 * Groups the numeric fields of a message type of unknown meaning, without timestamps, covariances, layouts and byte
 * arrays; no groups above 512 fields.
 *
 * Scalars form one group per top-level struct (a pose, a twist) and one for the rest, or a single group if there are
 * few; every numeric array is a group of its own.
 */
export function genericGroups(root: StructType): GenericGroups {
  const walk: Walk = { scalars: new Map(), arrays: [], leaves: 0 };
  for (const field of root.fields) {
    if (field.type.kind === 'struct') descend(walk, field.type, field.name, field.name, 1);
    else addLeaf(walk, field, field.name, '');
  }
  if (walk.scalars.size > 1 && scalarCount(walk) <= maxMergedScalars) {
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

/** Names of fields that are no signals. */
export const ignoredFields =
  /^(header|stamp|timestamp|layout|seq|sequence|frame_id)$|covariance|_crc$|^is_bigendian$/i;

function descend(walk: Walk, type: StructType, path: string, suffix: string, depth: number): void {
  if (
    depth > maxDepth ||
    walk.leaves > maxLeaves ||
    ignoredFields.test(path.slice(path.lastIndexOf('.') + 1))
  )
    return;
  for (const field of type.fields) {
    const inner = `${path}.${field.name}`;
    if (field.type.kind === 'struct') descend(walk, field.type, inner, suffix, depth + 1);
    else addLeaf(walk, field, inner, suffix);
  }
}

function addLeaf(walk: Walk, field: Field, path: string, suffix: string): void {
  if (ignoredFields.test(field.name)) return;
  if (field.type.kind === 'number') {
    const group = walk.scalars.get(suffix);
    if (group === undefined) walk.scalars.set(suffix, [path]);
    else group.push(path);
    walk.leaves++;
  } else if (isSignalList(field.type)) {
    walk.arrays.push(path);
    walk.leaves++;
  }
}

/**
 * True for numeric arrays that may be signals; false for fixed lengths above 512, and for byte arrays unless of a fixed
 * length up to 16 (long ones are payloads).
 */
export function isSignalList(type: FieldType): boolean {
  if (type.kind !== 'array' || type.of.kind !== 'number') return false;
  if (type.length !== null && type.length > maxLeaves) return false;
  return (
    !(type.of.type === 'uint8' || type.of.type === 'int8') || (type.length !== null && type.length <= 16)
  );
}

/**
 * Returns the name of a string list such as `name`, `names` or `joint_names`, which names the dimensions of the arrays;
 * `null` if there is none.
 */
function namesField(root: StructType): string | null {
  const field = root.fields.find(
    (candidate) =>
      /^(name|names|joint_name|joint_names)$/.test(candidate.name) &&
      candidate.type.kind === 'array' &&
      candidate.type.of.kind === 'string',
  );
  return field?.name ?? null;
}
