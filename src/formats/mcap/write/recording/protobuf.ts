/** Wire types of Protocol Buffers (protobuf.dev/programming-guides/encoding). */
const wire = { varint: 0, fixed64: 1, length: 2, fixed32: 5 } as const;

/** Numbers of FieldDescriptorProto.Type (descriptor.proto). */
const types = {
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

export interface ProtoField {
  readonly name: string;
  readonly number: number;
  readonly type: keyof typeof types;
  /** Of a `message` or an `enum`: `.google.protobuf.Timestamp`. */
  readonly of?: string;
  readonly repeated?: true;
}

function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest > 0n ? low | 0x80 : low);
  } while (rest > 0n);
  return Uint8Array.from(bytes);
}

const tag = (number: number, type: number) => varint(BigInt((number << 3) | type));

export const joined = (parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);

export const integerField = (number: number, value: bigint): Uint8Array =>
  joined([tag(number, wire.varint), varint(value)]);

export const bytesField = (number: number, bytes: Uint8Array): Uint8Array =>
  joined([tag(number, wire.length), varint(BigInt(bytes.length)), bytes]);

export const textField = (number: number, text: string): Uint8Array => bytesField(number, Buffer.from(text));

export function fixed32Field(number: number, value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return joined([tag(number, wire.fixed32), bytes]);
}

/** A double or a float. */
export function numberField(number: number, value: number, type: 'double' | 'float'): Uint8Array {
  const bytes = Buffer.alloc(type === 'double' ? 8 : 4);
  if (type === 'double') bytes.writeDoubleLE(value);
  else bytes.writeFloatLE(value);
  return joined([tag(number, type === 'double' ? wire.fixed64 : wire.fixed32), bytes]);
}

const second_ns = 1_000_000_000n;

/** A google.protobuf.Timestamp. */
export const timeField = (number: number, time_ns: bigint): Uint8Array =>
  bytesField(number, joined([integerField(1, time_ns / second_ns), integerField(2, time_ns % second_ns)]));

/** What a definition needs besides its fields. */
export interface ProtoParts {
  /** Names of an enum's values by its name, numbered from 0. */
  readonly enums?: Readonly<Record<string, readonly string[]>>;
  /** Another message that its fields use. `name`: `foxglove.KeyValuePair`. */
  readonly uses?: { readonly name: string; readonly fields: readonly ProtoField[] };
}

/** A binary FileDescriptorSet of one message and of those that it holds. `name`: `foxglove.CompressedImage`. */
export function descriptorSet(
  name: string,
  fields: readonly ProtoField[],
  parts: ProtoParts = {},
): Uint8Array {
  const timestamp = fileOf('google.protobuf.Timestamp', [
    { name: 'seconds', number: 1, type: 'int64' },
    { name: 'nanos', number: 2, type: 'int32' },
  ]);
  const { uses, enums } = parts;
  const used = uses === undefined ? [] : [fileOf(uses.name, uses.fields)];
  const needs = ['google.protobuf.Timestamp', ...(uses === undefined ? [] : [uses.name])];
  const own = fileOf(name, fields, needs, enums);
  return joined([timestamp, ...used, own].map((file) => bytesField(1, file)));
}

/** `google.protobuf.Timestamp` lies in `google/protobuf/timestamp.proto`, other messages in files of their name. */
const pathOf = (name: string) =>
  name === 'google.protobuf.Timestamp'
    ? 'google/protobuf/timestamp.proto'
    : `${name.replaceAll('.', '/')}.proto`;

function fileOf(
  name: string,
  fields: readonly ProtoField[],
  needs: readonly string[] = [],
  enums: ProtoParts['enums'] = {},
): Uint8Array {
  const dot = name.lastIndexOf('.');
  const message = [
    textField(1, name.slice(dot + 1)),
    ...fields.map((field) => bytesField(2, fieldOf(field))),
    ...Object.entries(enums).map(([title, values]) => bytesField(4, enumOf(title, values))),
  ];
  return joined([
    textField(1, pathOf(name)),
    textField(2, name.slice(0, dot)),
    ...needs.map((one) => textField(3, pathOf(one))),
    bytesField(4, joined(message)),
    textField(12, 'proto3'),
  ]);
}

function enumOf(name: string, values: readonly string[]): Uint8Array {
  const numbered = values.map((value, i) => joined([textField(1, value), integerField(2, BigInt(i))]));
  return joined([textField(1, name), ...numbered.map((value) => bytesField(2, value))]);
}

function fieldOf({ name, number, type, of, repeated }: ProtoField): Uint8Array {
  return joined([
    textField(1, name),
    integerField(3, BigInt(number)),
    integerField(4, repeated === true ? 3n : 1n),
    integerField(5, BigInt(types[type])),
    ...(of === undefined ? [] : [textField(6, of)]),
  ]);
}
