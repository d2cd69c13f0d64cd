import {
  betterStandard,
  openStandard,
  parseRosMsg,
  RosError,
  type RosErrorKind,
  type RosGeneration,
  type RosWire,
  rosDecoder,
  type StructType,
} from '@assay/ros-messages';
import { AssayError, type ErrorCode } from '#core';
import { jsonSchema } from './json-decoder.ts';
import type { OpenedSchema } from './opened-schema.ts';
import { protobufSchema } from './protobuf-types.ts';
import type { SchemaText } from './schema-text.ts';

interface EncodingRow {
  readonly id: string;
  open(text: SchemaText, first: Uint8Array): OpenedSchema;
}

const utf8 = new TextDecoder('utf-8');

function ros(text: SchemaText, wire: RosWire, generation: RosGeneration, expected: string): OpenedSchema {
  if (text.schemaEncoding !== expected) {
    throw new AssayError('unsupported_version', `definitions in '${text.schemaEncoding}' are not read`, {
      advice: `record with message definitions in ${expected}`,
    });
  }
  return rosSchema(rosDefinition(utf8.decode(text.schema), text.schemaName, generation), wire);
}

/** More than the head of a CDR message and the byte that stands for no fields. */
const emptyMessageBytes = 8;

/**
 * ROS 2 recorders leave the definition empty where they did not find it; that of a type without fields is empty too.
 * Converters have been seen to make definitions up: one that comes with ROS 2 wins where it alone fits the messages.
 */
function cdr(text: SchemaText, first: Uint8Array): OpenedSchema {
  const builtIn = (root: StructType, instead: boolean): OpenedSchema => {
    return { ...rosSchema(root, 'cdr'), builtIn: instead ? 'misfit' : 'absent' };
  };
  const isAbsent = text.schema.length === 0 && text.schemaName !== '' && first.length > emptyMessageBytes;
  if (isAbsent) return builtIn(builtInDefinition(text.schemaName, first), false);
  const own = ros(text, 'cdr', 'ros2', 'ros2msg');
  const better = betterDefinition(own.root, text.schemaName, first);
  return better === null ? own : builtIn(better, true);
}

/** One row an encoding: what a container calls it, and how its definitions are opened. */
const encodings: readonly EncodingRow[] = [
  { id: 'ros1', open: (text) => ros(text, 'ros1', 'ros1', 'ros1msg') },
  { id: 'cdr', open: cdr },
  { id: 'json', open: jsonSchema },
  { id: 'protobuf', open: protobufSchema },
];

/**
 * Opens the definition of a channel's messages. `first` is its first message, for encodings that describe themselves.
 * Throws `unsupported_version` for an encoding nobody here reads, `unreadable_input` for a broken definition.
 */
export function openSchema(text: SchemaText, first: Uint8Array): OpenedSchema {
  const row = encodings.find((encoding) => encoding.id === text.messageEncoding);
  if (row === undefined) {
    throw new AssayError(
      'unsupported_version',
      `messages encoded as '${text.messageEncoding}' cannot be read`,
      {
        advice: `read are ${encodings.map((encoding) => encoding.id).join(', ')}`,
      },
    );
  }
  return row.open(text, first);
}

const codes: Readonly<Record<RosErrorKind, ErrorCode>> = {
  bad_definition: 'unreadable_input',
  too_large: 'limit_exceeded',
  not_built_in: 'unreadable_input',
  service_event: 'unsupported_version',
};

/** A schema that decodes messages of `root`. */
function rosSchema(root: StructType, wire: RosWire): OpenedSchema {
  return { root, compile: (taps) => said(() => rosDecoder(root, taps, wire)) };
}

/** The tree of a definition that a recording holds. */
function rosDefinition(text: string, name: string, generation: RosGeneration): StructType {
  return said(() => parseRosMsg(text, name, generation));
}

/** The definition that comes with ROS 2, for a recording that holds none. */
function builtInDefinition(name: string, first: Uint8Array): StructType {
  return said(() => openStandard(name, first));
}

/** The definition that comes with ROS 2 where it fits and the recording's own does not; else null. */
function betterDefinition(own: StructType, name: string, first: Uint8Array): StructType | null {
  return said(() => betterStandard(own, name, first));
}

/** The package's errors as the project's. */
function said<T>(work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (!(thrown instanceof RosError)) throw thrown;
    const { kind, message, type, advice } = thrown;
    throw new AssayError(codes[kind], message, {
      ...(type === null ? {} : { place: type }),
      ...(advice === null ? {} : { advice }),
    });
  }
}
