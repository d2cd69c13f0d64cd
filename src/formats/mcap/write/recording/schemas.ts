import {
  bytesField,
  descriptorSet,
  fixed32Field,
  integerField,
  joined,
  numberField,
  type ProtoField,
  type ProtoParts,
  textField,
  timeField,
} from './protobuf.ts';

/** A type of message and its definition. */
export interface McapSchema {
  readonly name: string;
  readonly definition: Uint8Array;
}

const time: ProtoField = { name: 'timestamp', number: 1, type: 'message', of: '.google.protobuf.Timestamp' };

function schema(name: string, fields: readonly ProtoField[], parts: ProtoParts = {}): McapSchema {
  return { name, definition: descriptorSet(name, [time, ...fields], parts) };
}

/** Foxglove's own definitions (foxglove-sdk, schemas/proto). */
export const compressedImage = schema('foxglove.CompressedImage', [
  { name: 'data', number: 2, type: 'bytes' },
  { name: 'format', number: 3, type: 'string' },
  { name: 'frame_id', number: 4, type: 'string' },
]);
export const compressedVideo = schema('foxglove.CompressedVideo', [
  { name: 'frame_id', number: 2, type: 'string' },
  { name: 'data', number: 3, type: 'bytes' },
  { name: 'format', number: 4, type: 'string' },
]);
export const rawImage = schema('foxglove.RawImage', [
  { name: 'width', number: 2, type: 'fixed32' },
  { name: 'height', number: 3, type: 'fixed32' },
  { name: 'encoding', number: 4, type: 'string' },
  { name: 'step', number: 5, type: 'fixed32' },
  { name: 'data', number: 6, type: 'bytes' },
  { name: 'frame_id', number: 7, type: 'string' },
]);
const logLevels = ['UNKNOWN', 'DEBUG', 'INFO', 'WARNING', 'ERROR', 'FATAL'] as const;
/** A text that was said at a time; panels and viewers list it. */
export const log = schema(
  'foxglove.Log',
  [
    { name: 'level', number: 2, type: 'enum', of: '.foxglove.Log.Level' },
    { name: 'message', number: 3, type: 'string' },
    { name: 'name', number: 4, type: 'string' },
    { name: 'file', number: 5, type: 'string' },
    { name: 'line', number: 6, type: 'fixed32' },
  ],
  { enums: { Level: logLevels } },
);
const pairs = { name: 'metadata', number: 3, type: 'message', of: '.foxglove.KeyValuePair' } as const;
/** Something that lasts from one time to another; both belong to it. */
export const event: McapSchema = {
  name: 'foxglove.Event',
  definition: descriptorSet(
    'foxglove.Event',
    [
      { ...time, name: 'start_time' },
      { ...time, name: 'end_time', number: 2 },
      { ...pairs, repeated: true },
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

export const encodeImage = (time_ns: bigint, frame: string, data: Uint8Array, format: string): Uint8Array =>
  joined([timeField(1, time_ns), bytesField(2, data), textField(3, format), textField(4, frame)]);

export const encodeVideo = (time_ns: bigint, frame: string, data: Uint8Array, format: string): Uint8Array =>
  joined([timeField(1, time_ns), textField(2, frame), bytesField(3, data), textField(4, format)]);

export interface RawPixels {
  readonly width: number;
  readonly height: number;
  readonly encoding: string;
  readonly step: number;
  readonly data: Uint8Array;
}

export const encodeRaw = (time_ns: bigint, frame: string, pixels: RawPixels): Uint8Array =>
  joined([
    timeField(1, time_ns),
    fixed32Field(2, pixels.width),
    fixed32Field(3, pixels.height),
    textField(4, pixels.encoding),
    fixed32Field(5, pixels.step),
    bytesField(6, pixels.data),
    textField(7, frame),
  ]);

export interface LogLine {
  readonly level: (typeof logLevels)[number];
  readonly message: string;
  /** Who says it. */
  readonly name: string;
}

export const encodeLog = (time_ns: bigint, { level, message, name }: LogLine): Uint8Array =>
  joined([
    timeField(1, time_ns),
    integerField(2, BigInt(logLevels.indexOf(level))),
    textField(3, message),
    textField(4, name),
  ]);

export const encodeEvent = (
  from_ns: bigint,
  to_ns: bigint,
  about: Readonly<Record<string, string>>,
): Uint8Array =>
  joined([
    timeField(1, from_ns),
    timeField(2, to_ns),
    ...Object.entries(about).map(([key, value]) =>
      bytesField(3, joined([textField(1, key), textField(2, value)])),
    ),
  ]);

/** More dimensions than this are one list: a field for each would be no help to anybody. */
const mostFields = 256;
/** Names that readers take for something else than a signal. */
const special = /^(header|stamp|timestamp|layout|seq|sequence|frame_id)$|covariance|_crc$|^is_bigendian$/i;

/** The message of one signal, a field a dimension. */
export interface SignalSchema extends McapSchema {
  encode(time_ns: bigint, values: Float32Array | Float64Array): Uint8Array;
}

/** `names`: of the dimensions; null: nobody gave any. */
export function signalSchema(
  key: string,
  names: readonly string[] | null,
  { dims, type }: { readonly dims: number; readonly type: 'double' | 'float' },
): SignalSchema {
  const name = `assay.signal_${key.replace(/[^A-Za-z0-9]+/g, '_')}`;
  if (dims > mostFields) {
    const list = schema(name, [{ name: 'values', number: 2, type, repeated: true }]);
    return {
      ...list,
      encode: (time_ns, values) =>
        joined([
          timeField(1, time_ns),
          bytesField(2, new Uint8Array(values.buffer, values.byteOffset, values.byteLength)),
        ]),
    };
  }
  const fields = fieldNames(names ?? Array.from({ length: dims }, (_, i) => `v${i}`));
  const own = schema(
    name,
    fields.map((field, i) => ({ name: field, number: i + 2, type })),
  );
  return {
    ...own,
    encode: (time_ns, values) =>
      joined([timeField(1, time_ns), ...Array.from(values, (value, i) => numberField(i + 2, value, type))]),
  };
}

function fieldNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const plain = name.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^(?=[0-9]|$)/, 'v');
    const safe = special.test(plain) ? `v_${plain.replace(/covariance/gi, 'cov')}` : plain;
    let field = safe;
    for (let n = 2; taken.has(field); n++) field = `${safe}_${n}`;
    taken.add(field);
    return field;
  });
}
