import { rosDecoder } from '../decoder.ts';
import { parseRosMsg } from '../definition.ts';
import { RosError } from '../errors.ts';
import { emptyTaps } from '../taps.ts';
import { plainTypeName, type StructType } from '../type-tree.ts';
import { viewOf } from '../view-of.ts';
import { standardDefinitions } from './standard-definitions.ts';

/**
 * The built-in definition of a type whose recording holds none. Where releases of ROS 2 laid it out differently, the
 * one that the first message fits to its last byte. Throws `not_built_in` for a type that is not built in.
 */
export function openStandard(typeName: string, first: Uint8Array): StructType {
  const layouts = standardDefinitions(typeName).map((text) => parseRosMsg(text, typeName, 'ros2'));
  if (layouts.length === 0) throw notBuiltIn(typeName);
  return layouts.find((layout) => fits(layout, first)) ?? layouts[0];
}

/** The built-in definition where it fits a message to its last byte and the recording's own does not; else null. */
export function betterStandard(own: StructType, typeName: string, first: Uint8Array): StructType | null {
  if (fits(own, first)) return null;
  const layouts = standardDefinitions(typeName).map((text) => parseRosMsg(text, typeName, 'ros2'));
  return layouts.find((layout) => fits(layout, first)) ?? null;
}

/** CDR may fill a message up to a multiple of four bytes. */
function fits(layout: StructType, message: Uint8Array): boolean {
  const decoder = rosDecoder(layout, emptyTaps(), 'cdr');
  const decodes = (end: number): boolean => {
    try {
      return decoder.decode(message, viewOf(message), 0, end);
    } catch (thrown) {
      if (thrown instanceof RangeError) return false;
      throw thrown;
    }
  };
  return decodes(message.length) && !decodes(message.length - 4);
}

function notBuiltIn(typeName: string): RosError {
  if (/\/srv\/\w+_Event$/.test(typeName)) {
    const advice = 'no action needed, unless they contain signals: publish those on topics';
    return new RosError('service_event', 'service events are not read', null, advice);
  }
  const [from] = plainTypeName(typeName).split('/');
  return new RosError(
    'not_built_in',
    'the recording has no definition for this type, and it is not a standard type of ROS 2',
    null,
    `convert the bag on a system with ${from.slice(0, 80)} installed (ros2 bag convert, Iron or newer), or record to MCAP: both store definitions`,
  );
}
