/** Wire types of Protocol Buffers (protobuf.dev/programming-guides/encoding). */
const wireTypes = { varint: 0, fixed64: 1, length: 2, fixed32: 5 } as const;

/** Numbers of FieldDescriptorProto.Type (descriptor.proto). */
const fieldTypes = {
  double: 1,
  float: 2,
  int64: 3,
  int32: 5,
  fixed32: 7,
  string: 9,
  message: 11,
  bytes: 12,
  enum: 14,
} as const;

/** Declaration of a message field. */
export interface ProtoField {
  readonly name: string;
  readonly number: number;
  readonly type: keyof typeof fieldTypes;
  /** Full type name of a `message` or `enum` field, e.g. `.google.protobuf.Timestamp`. */
  readonly typeName?: string;
  readonly repeated?: true;
}

function encodeVarint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest > 0n ? low | 0x80 : low);
  } while (rest > 0n);
  return Uint8Array.from(bytes);
}

const encodeTag = (number: number, type: number) => encodeVarint(BigInt((number << 3) | type));

/** Concatenates byte arrays. */
export const concatBytes = (parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);

/** Encodes an integer field as varint. */
export const integerField = (number: number, value: bigint): Uint8Array =>
  concatBytes([encodeTag(number, wireTypes.varint), encodeVarint(value)]);

/** Encodes a length-delimited field. */
export const bytesField = (number: number, bytes: Uint8Array): Uint8Array =>
  concatBytes([encodeTag(number, wireTypes.length), encodeVarint(BigInt(bytes.length)), bytes]);

/** Encodes a string field. */
export const textField = (number: number, text: string): Uint8Array => bytesField(number, Buffer.from(text));

/** Encodes a fixed32 field. */
export function fixed32Field(number: number, value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return concatBytes([encodeTag(number, wireTypes.fixed32), bytes]);
}

/** Encodes a double or float field. */
export function numberField(number: number, value: number, type: 'double' | 'float'): Uint8Array {
  const bytes = Buffer.alloc(type === 'double' ? 8 : 4);
  if (type === 'double') bytes.writeDoubleLE(value);
  else bytes.writeFloatLE(value);
  return concatBytes([encodeTag(number, type === 'double' ? wireTypes.fixed64 : wireTypes.fixed32), bytes]);
}

const second_ns = 1_000_000_000n;

/** Encodes a google.protobuf.Timestamp field. */
export const timeField = (number: number, time_ns: bigint): Uint8Array =>
  bytesField(
    number,
    concatBytes([integerField(1, time_ns / second_ns), integerField(2, time_ns % second_ns)]),
  );

/** Enums and message types that a definition uses beside its own fields. */
export interface ProtoParts {
  /** Names of an enum's values by its name, numbered from 0. */
  readonly enums?: Readonly<Record<string, readonly string[]>>;
  /** Another message type used by its fields. `name`: e.g. `foxglove.KeyValuePair`. */
  readonly uses?: { readonly name: string; readonly fields: readonly ProtoField[] };
}

/**
 * Encodes the binary FileDescriptorSet of a message and the types it uses. `name`: e.g. `foxglove.CompressedImage`.
 */
export function encodeDescriptorSet(
  name: string,
  fields: readonly ProtoField[],
  parts: ProtoParts = {},
): Uint8Array {
  const timestamp = encodeFile('google.protobuf.Timestamp', [
    { name: 'seconds', number: 1, type: 'int64' },
    { name: 'nanos', number: 2, type: 'int32' },
  ]);
  const { uses, enums } = parts;
  const used = uses === undefined ? [] : [encodeFile(uses.name, uses.fields)];
  const needs = ['google.protobuf.Timestamp', ...(uses === undefined ? [] : [uses.name])];
  const own = encodeFile(name, fields, needs, enums);
  return concatBytes([timestamp, ...used, own].map((file) => bytesField(1, file)));
}

/** Returns the proto file path of a message type. */
const protoPath = (name: string) =>
  name === 'google.protobuf.Timestamp'
    ? 'google/protobuf/timestamp.proto'
    : `${name.replaceAll('.', '/')}.proto`;

/** Encodes the FileDescriptorProto of one message. `needs`: names of imported message types. */
function encodeFile(
  name: string,
  fields: readonly ProtoField[],
  needs: readonly string[] = [],
  enums: ProtoParts['enums'] = {},
): Uint8Array {
  const dot = name.lastIndexOf('.');
  const message = [
    textField(1, name.slice(dot + 1)),
    ...fields.map((field) => bytesField(2, encodeField(field))),
    ...Object.entries(enums).map(([title, values]) => bytesField(4, encodeEnum(title, values))),
  ];
  return concatBytes([
    textField(1, protoPath(name)),
    textField(2, name.slice(0, dot)),
    ...needs.map((one) => textField(3, protoPath(one))),
    bytesField(4, concatBytes(message)),
    textField(12, 'proto3'),
  ]);
}

function encodeEnum(name: string, values: readonly string[]): Uint8Array {
  const numbered = values.map((value, i) => concatBytes([textField(1, value), integerField(2, BigInt(i))]));
  return concatBytes([textField(1, name), ...numbered.map((value) => bytesField(2, value))]);
}

function encodeField({ name, number, type, typeName, repeated }: ProtoField): Uint8Array {
  return concatBytes([
    textField(1, name),
    integerField(3, BigInt(number)),
    integerField(4, repeated === true ? 3n : 1n),
    integerField(5, BigInt(fieldTypes[type])),
    ...(typeName === undefined ? [] : [textField(6, typeName)]),
  ]);
}
