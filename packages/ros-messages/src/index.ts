/** Reads ROS message definitions and takes chosen fields out of messages; the README of the package shows its use. */
export { Capture } from './capture.ts';
export { type RosWire, rosDecoder } from './decoder.ts';
export { parseRosMsg, type RosGeneration } from './definition.ts';
export { RosError, type RosErrorKind } from './errors.ts';
export { betterStandard, openStandard } from './standard/open-standard.ts';
export { standardDefinitions } from './standard/standard-definitions.ts';
export {
  type Extraction,
  emptyTaps,
  type MessageDecoder,
  maxGroupNumbers,
  type NumberTap,
  type Taps,
} from './taps.ts';
export {
  type Field,
  type FieldType,
  fitsFloat32,
  type NumberType,
  numberBytes,
  numberTypes,
  plainTypeName,
  type StructType,
  typeAt,
} from './type-tree.ts';
