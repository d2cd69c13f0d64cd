import {
  bytesField,
  concatBytes,
  encodeDescriptorSet,
  fixed32Field,
  integerField,
  numberField,
  type ProtoField,
  type ProtoParts,
  textField,
  timeField,
} from './protobuf.ts';

/** A message type and its protobuf definition. */
export interface McapSchema {
  readonly name: string;
  readonly definition: Uint8Array;
}

const timestampField: ProtoField = {
  name: 'timestamp',
  number: 1,
  type: 'message',
  typeName: '.google.protobuf.Timestamp',
};

/** Defines a message type whose first field is `timestamp`. */
function defineSchema(name: string, fields: readonly ProtoField[], parts: ProtoParts = {}): McapSchema {
  return { name, definition: encodeDescriptorSet(name, [timestampField, ...fields], parts) };
}

/** A coded picture. This and the following are Foxglove's message types (foxglove-sdk, schemas/proto). */
export const compressedImage = defineSchema('foxglove.CompressedImage', [
  { name: 'data', number: 2, type: 'bytes' },
  { name: 'format', number: 3, type: 'string' },
  { name: 'frame_id', number: 4, type: 'string' },
]);
/** One coded video frame. */
export const compressedVideo = defineSchema('foxglove.CompressedVideo', [
  { name: 'frame_id', number: 2, type: 'string' },
  { name: 'data', number: 3, type: 'bytes' },
  { name: 'format', number: 4, type: 'string' },
]);
/** An uncompressed picture. */
export const rawImage = defineSchema('foxglove.RawImage', [
  { name: 'width', number: 2, type: 'fixed32' },
  { name: 'height', number: 3, type: 'fixed32' },
  { name: 'encoding', number: 4, type: 'string' },
  { name: 'step', number: 5, type: 'fixed32' },
  { name: 'data', number: 6, type: 'bytes' },
  { name: 'frame_id', number: 7, type: 'string' },
]);
const logLevels = ['UNKNOWN', 'DEBUG', 'INFO', 'WARNING', 'ERROR', 'FATAL'] as const;
/** A log message; panels and viewers list it. */
export const log = defineSchema(
  'foxglove.Log',
  [
    { name: 'level', number: 2, type: 'enum', typeName: '.foxglove.Log.Level' },
    { name: 'message', number: 3, type: 'string' },
    { name: 'name', number: 4, type: 'string' },
    { name: 'file', number: 5, type: 'string' },
    { name: 'line', number: 6, type: 'fixed32' },
  ],
  { enums: { Level: logLevels } },
);
const metadataField = {
  name: 'metadata',
  number: 3,
  type: 'message',
  typeName: '.foxglove.KeyValuePair',
} as const;
/** An event from start to end time, both inclusive. */
export const event: McapSchema = {
  name: 'foxglove.Event',
  definition: encodeDescriptorSet(
    'foxglove.Event',
    [
      { ...timestampField, name: 'start_time' },
      { ...timestampField, name: 'end_time', number: 2 },
      { ...metadataField, repeated: true },
    ],
    {
      uses: {
        name: 'foxglove.KeyValuePair',
        fields: [
          { name: 'key', number: 1, type: 'string' },
          { name: 'value', number: 2, type: 'string' },
        ],
      },
    },
  ),
};

/** Encodes a foxglove.CompressedImage message. */
export const encodeImage = (time_ns: bigint, frame: string, data: Uint8Array, format: string): Uint8Array =>
  concatBytes([timeField(1, time_ns), bytesField(2, data), textField(3, format), textField(4, frame)]);

/** Encodes a foxglove.CompressedVideo message. */
export const encodeVideo = (time_ns: bigint, frame: string, data: Uint8Array, format: string): Uint8Array =>
  concatBytes([timeField(1, time_ns), textField(2, frame), bytesField(3, data), textField(4, format)]);

/** Uncompressed picture with its layout; `step` is the row size in bytes. */
export interface RawPixels {
  readonly width: number;
  readonly height: number;
  readonly encoding: string;
  readonly step: number;
  readonly data: Uint8Array;
}

/** Encodes a foxglove.RawImage message. */
export const encodeRaw = (time_ns: bigint, frame: string, pixels: RawPixels): Uint8Array =>
  concatBytes([
    timeField(1, time_ns),
    fixed32Field(2, pixels.width),
    fixed32Field(3, pixels.height),
    textField(4, pixels.encoding),
    fixed32Field(5, pixels.step),
    bytesField(6, pixels.data),
    textField(7, frame),
  ]);

/** Content of a log message. */
export interface LogLine {
  readonly level: (typeof logLevels)[number];
  readonly message: string;
  /** Source of the message. */
  readonly name: string;
}

/** Encodes a foxglove.Log message. */
export const encodeLog = (time_ns: bigint, { level, message, name }: LogLine): Uint8Array =>
  concatBytes([
    timeField(1, time_ns),
    integerField(2, BigInt(logLevels.indexOf(level))),
    textField(3, message),
    textField(4, name),
  ]);

/** Encodes a foxglove.Event message; `about` becomes its metadata pairs. */
export const encodeEvent = (
  from_ns: bigint,
  to_ns: bigint,
  about: Readonly<Record<string, string>>,
): Uint8Array =>
  concatBytes([
    timeField(1, from_ns),
    timeField(2, to_ns),
    ...Object.entries(about).map(([key, value]) =>
      bytesField(3, concatBytes([textField(1, key), textField(2, value)])),
    ),
  ]);

/** Signals with more dimensions are written as one repeated field instead of one field per dimension. */
const maxFields = 256;
/** Field names that readers do not treat as signal values. */
const reservedNames =
  /^(header|stamp|timestamp|layout|seq|sequence|frame_id)$|covariance|_crc$|^is_bigendian$/i;

/** Message type of one signal, with one field per dimension. */
export interface SignalSchema extends McapSchema {
  encode(time_ns: bigint, values: Float32Array | Float64Array): Uint8Array;
}

/**
 * Returns the message type of a signal, with one field per dimension (one list if there are many), and its encoder.
 * `names`: dimension names, made unique and valid; `null` for `v0`, `v1`, …
 */
export function createSignalSchema(
  key: string,
  names: readonly string[] | null,
  { dims, type }: { readonly dims: number; readonly type: 'double' | 'float' },
): SignalSchema {
  const name = `assay.signal_${key.replace(/[^A-Za-z0-9]+/g, '_')}`;
  if (dims > maxFields) {
    const list = defineSchema(name, [{ name: 'values', number: 2, type, repeated: true }]);
    return {
      ...list,
      encode: (time_ns, values) =>
        concatBytes([
          timeField(1, time_ns),
          bytesField(2, new Uint8Array(values.buffer, values.byteOffset, values.byteLength)),
        ]),
    };
  }
  const fields = uniqueFieldNames(names ?? Array.from({ length: dims }, (_, i) => `v${i}`));
  const own = defineSchema(
    name,
    fields.map((field, i) => ({ name: field, number: i + 2, type })),
  );
  return {
    ...own,
    encode: (time_ns, values) =>
      concatBytes([
        timeField(1, time_ns),
        ...Array.from(values, (value, i) => numberField(i + 2, value, type)),
      ]),
  };
}

/** Converts dimension names to valid, unique protobuf field names. */
function uniqueFieldNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const plain = name.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^(?=[0-9]|$)/, 'v');
    const safe = reservedNames.test(plain) ? `v_${plain.replace(/covariance/gi, 'cov')}` : plain;
    let field = safe;
    for (let n = 2; taken.has(field); n++) field = `${safe}_${n}`;
    taken.add(field);
    return field;
  });
}
