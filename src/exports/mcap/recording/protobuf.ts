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
} as const;

export interface ProtoField {
  readonly name: string;
  readonly number: number;
  readonly type: keyof typeof types;
  /** Of a `message`: `.google.protobuf.Timestamp`. */
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

const integerField = (number: number, value: bigint): Uint8Array =>
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

/** A binary FileDescriptorSet of one message and of the timestamp that it holds. `name`: `foxglove.CompressedImage`. */
export function descriptorSet(name: string, fields: readonly ProtoField[]): Uint8Array {
  const dot = name.lastIndexOf('.');
  const timestamp = fileOf('google/protobuf/timestamp.proto', 'google.protobuf', 'Timestamp', [
    { name: 'seconds', number: 1, type: 'int64' },
    { name: 'nanos', number: 2, type: 'int32' },
  ]);
  const own = fileOf(`${name.replaceAll('.', '/')}.proto`, name.slice(0, dot), name.slice(dot + 1), fields, [
    'google/protobuf/timestamp.proto',
  ]);
  return joined([bytesField(1, timestamp), bytesField(1, own)]);
}

function fileOf(
  path: string,
  scope: string,
  name: string,
  fields: readonly ProtoField[],
  needs: readonly string[] = [],
): Uint8Array {
  const message = [textField(1, name), ...fields.map((field) => bytesField(2, fieldOf(field)))];
  return joined([
    textField(1, path),
    textField(2, scope),
    ...needs.map((one) => textField(3, one)),
    bytesField(4, joined(message)),
    textField(12, 'proto3'),
  ]);
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
