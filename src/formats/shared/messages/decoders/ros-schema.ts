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
import type { OpenedSchema } from './opened-schema.ts';

const codes: Readonly<Record<RosErrorKind, ErrorCode>> = {
  bad_definition: 'unreadable_input',
  too_large: 'limit_exceeded',
  not_built_in: 'unreadable_input',
  service_event: 'unsupported_version',
};

/** A schema that decodes messages of `root`. */
export function rosSchema(root: StructType, wire: RosWire): OpenedSchema {
  return { root, compile: (taps) => said(() => rosDecoder(root, taps, wire)) };
}

/** The tree of a definition that a recording holds. */
export function rosDefinition(text: string, name: string, generation: RosGeneration): StructType {
  return said(() => parseRosMsg(text, name, generation));
}

/** The definition that comes with ROS 2, for a recording that holds none. */
export function builtInDefinition(name: string, first: Uint8Array): StructType {
  return said(() => openStandard(name, first));
}

/** The definition that comes with ROS 2 where it fits and the recording's own does not; else null. */
export function betterDefinition(own: StructType, name: string, first: Uint8Array): StructType | null {
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
