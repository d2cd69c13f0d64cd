import type { Field, FieldType, NumberType, StructType } from '@assay/ros-messages';
import { AssayError, messageOf } from '#core';
import { viewOf } from './message-compression.ts';
import type { MessageSchema, SchemaSource } from './message-schema.ts';
import { createProtobufDecoder } from './protobuf-decoder.ts';
import { ProtobufReader } from './protobuf-wire.ts';

const maxBytes = 4 * 1024 * 1024;
/** Depth limit, because messages may be recursive. */
const maxDepth = 8;
const maxFields = 20_000;

/** Names of FieldDescriptorProto.Type by number (descriptor.proto). */
const typeNames = [
  '',
  'double',
  'float',
  'int64',
  'uint64',
  'int32',
  'fixed64',
  'fixed32',
  'bool',
  'string',
  'group',
  'message',
  'bytes',
  'uint32',
  'enum',
  'sfixed32',
  'sfixed64',
  'sint32',
  'sint64',
] as const;

const numberTypes: Readonly<Record<string, NumberType>> = {
  double: 'float64',
  float: 'float32',
  int64: 'int64',
  uint64: 'uint64',
  int32: 'int32',
  fixed64: 'uint64',
  fixed32: 'uint32',
  bool: 'bool',
  uint32: 'uint32',
  enum: 'int32',
  sfixed32: 'int32',
  sfixed64: 'int64',
  sint32: 'int32',
  sint64: 'int64',
};

/**
 * Returns the message type that a binary FileDescriptorSet defines, with its decoder; throws `unreadable_input` if it
 * is invalid or lacks the message.
 * @throws AssayError `unreadable_input` if it is invalid or lacks the message, `unsupported_version` for another schema
 * encoding, `limit_exceeded` above 4 MiB or 20,000 fields.
 */
export function openProtobufSchema(text: SchemaSource): MessageSchema {
  if (text.schemaEncoding !== 'protobuf') {
    throw new AssayError('unsupported_version', `unsupported schema encoding '${text.schemaEncoding}'`, {
      advice: 'record with a FileDescriptorSet (schema encoding protobuf)',
    });
  }
  if (text.schema.length > maxBytes) {
    throw new AssayError('limit_exceeded', `the FileDescriptorSet is larger than ${maxBytes} bytes`);
  }
  const root = new TypeBuilder(readDescriptors(text.schema)).struct(text.schemaName, 0);
  return { root, compile: (taps) => createProtobufDecoder(root, taps) };
}

interface FieldDescriptor {
  name: string;
  number: number;
  repeated: boolean;
  optional: boolean;
  type: string;
  typeName: string;
}

type Descriptors = Map<string, FieldDescriptor[]>;

function readDescriptors(schema: Uint8Array): Descriptors {
  const found: Descriptors = new Map();
  try {
    forEachField(schema, (field, file) => {
      if (field === 1) readFile(file, found);
    });
  } catch (thrown) {
    throw new AssayError('unreadable_input', `the FileDescriptorSet is corrupt: ${messageOf(thrown)}`);
  }
  return found;
}

function readFile(file: Uint8Array, found: Descriptors): void {
  let scope = '';
  const messages: Uint8Array[] = [];
  forEachField(file, (field, value) => {
    if (field === 2) scope = utf8.decode(value);
    if (field === 4) messages.push(value);
  });
  for (const message of messages) readMessage(message, scope, found, 0);
}

function readMessage(message: Uint8Array, scope: string, found: Descriptors, depth: number): void {
  if (depth > 32) throw new RangeError('messages are nested more than 32 levels deep');
  let name = '';
  const fields: FieldDescriptor[] = [];
  const nested: Uint8Array[] = [];
  forEachField(message, (field, value) => {
    if (field === 1) name = utf8.decode(value);
    if (field === 2) fields.push(readField(value));
    if (field === 3) nested.push(value);
  });
  const full = scope === '' ? name : `${scope}.${name}`;
  found.set(full, fields);
  for (const inner of nested) readMessage(inner, full, found, depth + 1);
}

function readField(bytes: Uint8Array): FieldDescriptor {
  const descriptor = { name: '', number: 0, repeated: false, optional: false, type: '', typeName: '' };
  forEachField(bytes, (field, value, number) => {
    if (field === 1) descriptor.name = utf8.decode(value);
    if (field === 3) descriptor.number = number;
    if (field === 4) descriptor.repeated = number === 3;
    if (field === 5) descriptor.type = typeNames[number] ?? '';
    if (field === 6) descriptor.typeName = utf8.decode(value);
    // Fields of a oneof, and so every `optional` field of proto3, have explicit presence.
    if (field === 9 || (field === 17 && number === 1)) descriptor.optional = true;
  });
  return descriptor;
}

const utf8 = new TextDecoder('utf-8');
const emptyBytes = new Uint8Array(0);

function forEachField(
  bytes: Uint8Array,
  visit: (field: number, value: Uint8Array, number: number) => void,
): void {
  const reader = new ProtobufReader();
  reader.reset(bytes, viewOf(bytes), 0, bytes.length);
  while (reader.pos < reader.end) {
    const key = reader.varint();
    const field = Math.floor(key / 8);
    const wireType = key % 8;
    if (wireType === 2) {
      const length = reader.length();
      const at = reader.advance(length);
      visit(field, bytes.subarray(at, at + length), 0);
    } else if (wireType === 0) visit(field, emptyBytes, reader.varint());
    else reader.skip(wireType);
  }
}

class TypeBuilder {
  readonly #descriptors: Descriptors;
  #fields = 0;

  constructor(descriptors: Descriptors) {
    this.#descriptors = descriptors;
  }

  struct(name: string, depth: number): StructType {
    const fields = this.#descriptors.get(name);
    if (fields === undefined) {
      throw new AssayError('unreadable_input', `the FileDescriptorSet does not define ${name}`, {
        place: name,
      });
    }
    return { kind: 'struct', name, fields: fields.flatMap((field) => this.#field(field, name, depth)) };
  }

  #field(field: FieldDescriptor, owner: string, depth: number): Field[] {
    if (++this.#fields > maxFields) {
      throw new AssayError('limit_exceeded', `the message definition has more than ${maxFields} fields`);
    }
    const type = this.#type(field, owner, depth);
    if (type === null) return [];
    const wire = { number: field.number, type: field.type, optional: field.optional };
    return [
      { name: field.name, wire, type: field.repeated ? { kind: 'array', of: type, length: null } : type },
    ];
  }

  /** Returns the type of a field; `null` if it is nested too deep or a group (deprecated since 2008). */
  #type(field: FieldDescriptor, owner: string, depth: number): FieldType | null {
    if (field.type === 'string') return { kind: 'string' };
    if (field.type === 'bytes') return { kind: 'array', of: { kind: 'number', type: 'uint8' }, length: null };
    const number = numberTypes[field.type];
    if (number !== undefined) return { kind: 'number', type: number };
    if (field.type !== 'message' || depth >= maxDepth) return null;
    const name = this.#resolve(field.typeName, owner);
    if (name === 'google.protobuf.Timestamp') return { kind: 'time' };
    if (name === 'google.protobuf.Duration') return { kind: 'duration' };
    return this.struct(name, depth + 1);
  }

  /** Resolves a type name: absolute names start with a dot, others are searched from the innermost scope outwards. */
  #resolve(name: string, owner: string): string {
    if (name.startsWith('.')) return name.slice(1);
    for (let scope = owner; scope !== ''; scope = scope.slice(0, Math.max(0, scope.lastIndexOf('.')))) {
      if (this.#descriptors.has(`${scope}.${name}`)) return `${scope}.${name}`;
    }
    return name;
  }
}
