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
import { openJsonSchema } from './json-decoder.ts';
import type { MessageSchema, SchemaSource } from './message-schema.ts';
import { openProtobufSchema } from './protobuf-types.ts';

interface EncodingRow {
  readonly id: string;
  open(text: SchemaSource, first: Uint8Array): MessageSchema;
}

const utf8 = new TextDecoder('utf-8');

function openRos(
  text: SchemaSource,
  wire: RosWire,
  generation: RosGeneration,
  expected: string,
): MessageSchema {
  if (text.schemaEncoding !== expected) {
    throw new AssayError('unsupported_version', `unsupported schema encoding '${text.schemaEncoding}'`, {
      advice: `record with message definitions in ${expected}`,
    });
  }
  return rosSchema(rosDefinition(utf8.decode(text.schema), text.schemaName, generation), wire);
}

/** Longer messages have content: a CDR message of a type without fields is a 4-byte header and a placeholder byte. */
const emptyMessageBytes = 8;

/**
 * Opens a CDR schema. ROS 2 recorders leave the definition empty if they do not find it; that of a type without fields
 * is empty too. Some converters write wrong definitions: the one that comes with ROS 2 is used if only it fits the
 * messages.
 */
function openCdr(text: SchemaSource, first: Uint8Array): MessageSchema {
  const builtIn = (root: StructType, instead: boolean): MessageSchema => {
    return { ...rosSchema(root, 'cdr'), builtIn: instead ? 'misfit' : 'absent' };
  };
  const isAbsent = text.schema.length === 0 && text.schemaName !== '' && first.length > emptyMessageBytes;
  if (isAbsent) return builtIn(builtInDefinition(text.schemaName, first), false);
  const recorded = openRos(text, 'cdr', 'ros2', 'ros2msg');
  const better = betterDefinition(recorded.root, text.schemaName, first);
  return better === null ? recorded : builtIn(better, true);
}

/** Supported message encodings by their container name. */
const encodings: readonly EncodingRow[] = [
  { id: 'ros1', open: (text) => openRos(text, 'ros1', 'ros1', 'ros1msg') },
  { id: 'cdr', open: openCdr },
  { id: 'json', open: openJsonSchema },
  { id: 'protobuf', open: openProtobufSchema },
];

/**
 * Opens the message definition of a channel; for ROS 2 messages a built-in one if it is absent or does not fit their
 * first message `first`. Self-describing encodings are defined by `first` alone.
 * @throws AssayError `unsupported_version` for an unsupported encoding, `unreadable_input` for a broken definition
 */
export function openSchema(text: SchemaSource, first: Uint8Array): MessageSchema {
  const row = encodings.find((encoding) => encoding.id === text.messageEncoding);
  if (row === undefined) {
    throw new AssayError('unsupported_version', `unsupported message encoding '${text.messageEncoding}'`, {
      advice: `supported encodings: ${encodings.map((encoding) => encoding.id).join(', ')}`,
    });
  }
  return row.open(text, first);
}

const codes: Readonly<Record<RosErrorKind, ErrorCode>> = {
  bad_definition: 'unreadable_input',
  too_large: 'limit_exceeded',
  not_built_in: 'unreadable_input',
  service_event: 'unsupported_version',
};

/** Returns a schema that decodes messages of type `root`. */
function rosSchema(root: StructType, wire: RosWire): MessageSchema {
  return { root, compile: (taps) => convertErrors(() => rosDecoder(root, taps, wire)) };
}

/** Parses the message definition of a recording. */
function rosDefinition(text: string, name: string, generation: RosGeneration): StructType {
  return convertErrors(() => parseRosMsg(text, name, generation));
}

/** Returns the definition that comes with ROS 2. */
function builtInDefinition(name: string, first: Uint8Array): StructType {
  return convertErrors(() => openStandard(name, first));
}

/**
 * Returns the definition that comes with ROS 2 if it fits the message and the recording's own does not; else `null`.
 */
function betterDefinition(recordedType: StructType, name: string, first: Uint8Array): StructType | null {
  return convertErrors(() => betterStandard(recordedType, name, first));
}

/** Runs `work` and converts a RosError to an AssayError. */
function convertErrors<T>(work: () => T): T {
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
