/** Primitive numbers as ROS and Protocol Buffers have them. `bool` counts as a number: 0 or 1. */
export const numberTypes = [
  'bool',
  'int8',
  'uint8',
  'int16',
  'uint16',
  'int32',
  'uint32',
  'int64',
  'uint64',
  'float32',
  'float64',
] as const;
export type NumberType = (typeof numberTypes)[number];

/** Size of a primitive on the wire of ROS 1 and CDR, bytes. */
export const numberBytes: Readonly<Record<NumberType, number>> = {
  bool: 1,
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  int64: 8,
  uint64: 8,
  float32: 4,
  float64: 8,
};

/** True when every value of the type is a float32 without loss. */
export function fitsFloat32(type: NumberType): boolean {
  return numberBytes[type] < 4 || type === 'float32';
}

/** What a message looks like, whatever encoding carries it. */
export type FieldType =
  | { readonly kind: 'number'; readonly type: NumberType }
  | { readonly kind: 'string' | 'wstring' | 'time' | 'duration' }
  /** `length` null: a sequence, its length is in the message. */
  | { readonly kind: 'array'; readonly of: FieldType; readonly length: number | null }
  | StructType;

export interface StructType {
  readonly kind: 'struct';
  /** `sensor_msgs/JointState`, `foxglove.CompressedImage`. */
  readonly name: string;
  readonly fields: readonly Field[];
}

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  /** Protocol Buffers: field number, how the value is packed, and whether its absence is told from zero. */
  readonly wire?: { readonly number: number; readonly type: string; readonly optional: boolean };
}

/** `sensor_msgs/msg/Imu` and `sensor_msgs/Imu` are one type; services and actions keep their own names. */
export function plainTypeName(name: string): string {
  return name.replace('/msg/', '/');
}

/** The type of a field by its path (`header.stamp`, `joints[].position`); null where there is none. */
export function typeAt(root: FieldType, path: string): FieldType | null {
  let type: FieldType = root;
  for (const step of path.split('.')) {
    const inArray = step.endsWith('[]');
    const name = inArray ? step.slice(0, -2) : step;
    if (type.kind !== 'struct') return null;
    const field: Field | undefined = type.fields.find((candidate) => candidate.name === name);
    if (field === undefined) return null;
    type = field.type;
    if (inArray) {
      if (type.kind !== 'array') return null;
      type = type.of;
    }
  }
  return type;
}
