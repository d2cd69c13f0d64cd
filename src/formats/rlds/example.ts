import { viewOf } from '../shared/messages/decoders/message-compression.ts';
import { ProtobufReader } from '../shared/messages/decoders/protobuf-wire.ts';

/** Values of one feature of a tf.train.Example, decoded on access. */
export interface FeatureValues {
  readonly kind: 'bytes' | 'float' | 'int64';
  /** Number of values in the list. */
  readonly count: number;
  /**
   * Returns the values of float_list or int64_list; empty for bytes_list. int64 values beyond 2^53 are rounded to a
   * double.
   */
  numbers(): Float32Array | Float64Array;
  /** Returns one entry of bytes_list as a view into the record. */
  bytes(index: number): Uint8Array;
}

/**
 * Decodes a tf.train.Example (tensorflow/core/example/example.proto) to features by name, of which the last counts if
 * repeated; throws RangeError if the bytes are no such message.
 */
export function decodeExample(bytes: Uint8Array): Map<string, FeatureValues> {
  const reader = new ProtobufReader();
  const view = viewOf(bytes);
  const features = new Map<string, FeatureValues>();
  const text = new TextDecoder();
  reader.reset(bytes, view, 0, bytes.length);
  forEachMessage(reader, 1, () => {
    forEachMessage(reader, 1, () => {
      let name = '';
      let values: FeatureValues = emptyValues;
      forEachField(reader, (field, wire) => {
        if (wire !== 2 || field > 2) return reader.skip(wire);
        const length = reader.length();
        const start = reader.advance(length);
        if (field === 1) name = text.decode(bytes.subarray(start, start + length));
        else values = decodeFeature(bytes, view, start, start + length);
      });
      features.set(name, values);
    });
  });
  return features;
}

const emptyValues: FeatureValues = {
  kind: 'bytes',
  count: 0,
  numbers: () => new Float32Array(0),
  bytes: () => new Uint8Array(0),
};

/** Calls `visit` for each field up to the reader's end. */
function forEachField(reader: ProtobufReader, visit: (field: number, wire: number) => void): void {
  while (reader.pos < reader.end) {
    const tag = reader.varint();
    visit(Math.floor(tag / 8), tag % 8);
  }
}

/** Calls `visit` inside every message with the given field number; the reader is then set to the end of the message. */
function forEachMessage(reader: ProtobufReader, fieldNumber: number, visit: () => void): void {
  forEachField(reader, (field, wire) => {
    if (field !== fieldNumber || wire !== 2) return reader.skip(wire);
    const length = reader.length();
    const endOfMessage = reader.pos + length;
    const outer = reader.end;
    reader.end = endOfMessage;
    visit();
    reader.end = outer;
    reader.pos = endOfMessage;
  });
}

/**
 * Decodes a `Feature`: a oneof of bytes_list, float_list and int64_list, each a list in field 1; the last one set
 * counts.
 */
function decodeFeature(bytes: Uint8Array, view: DataView, start: number, end: number): FeatureValues {
  const reader = new ProtobufReader();
  let values = emptyValues;
  reader.reset(bytes, view, start, end);
  forEachField(reader, (field, wire) => {
    if (wire !== 2 || field < 1 || field > 3) return reader.skip(wire);
    const length = reader.length();
    const from = reader.advance(length);
    const list = new ProtobufReader();
    list.reset(bytes, view, from, from + length);
    values = field === 1 ? bytesList(list) : field === 2 ? floatList(list) : int64List(list);
  });
  return values;
}

function bytesList(list: ProtobufReader): FeatureValues {
  const { bytes } = list;
  let count = 0;
  forEachRun(list, lengthDelimited, () => count++);
  const bounds = new Float64Array(2 * count);
  let at = 0;
  forEachRun(list, lengthDelimited, (start, end) => {
    bounds[at++] = start;
    bounds[at++] = end;
  });
  return {
    ...emptyValues,
    count,
    bytes: (index) => bytes.subarray(bounds[2 * index], bounds[2 * index + 1]),
  };
}

function floatList(list: ProtobufReader): FeatureValues {
  let count = 0;
  forEachRun(list, fixed32, (start, end) => {
    count += (end - start) >>> 2;
  });
  const numbers = () => {
    const values = new Float32Array(count);
    const raw = new Uint8Array(values.buffer);
    let at = 0;
    forEachRun(list, fixed32, (start, end) => {
      const whole = (end - start) & ~3;
      raw.set(list.bytes.subarray(start, start + whole), at);
      at += whole;
    });
    return values;
  };
  return { ...emptyValues, kind: 'float', count, numbers };
}

function int64List(list: ProtobufReader): FeatureValues {
  let count = 0;
  forEachRun(list, varint, (start, end) => {
    for (let at = start; at < end; at++) if (list.bytes[at] < 0x80) count++;
  });
  const numbers = () => {
    const values = new Float64Array(count);
    const run = new ProtobufReader();
    let at = 0;
    forEachRun(list, varint, (start, end) => {
      run.reset(list.bytes, list.view, start, end);
      while (run.pos < end && at < count) {
        const byte = list.bytes[run.pos];
        if (byte < 0x80) {
          values[at++] = byte;
          run.pos++;
        } else values[at++] = run.signed();
      }
    });
    return values;
  };
  return { ...emptyValues, kind: 'int64', count, numbers };
}

const varint = 0;
const lengthDelimited = 2;
const fixed32 = 5;

/**
 * Calls `visit` with the byte range of each run of list values (field 1): one run for packed values, as current writers
 * store them, else one per value. The reader's position is restored.
 */
function forEachRun(
  list: ProtobufReader,
  unpacked: number,
  visit: (start: number, end: number) => void,
): void {
  const { pos } = list;
  forEachField(list, (field, wire) => {
    if (field !== 1 || (wire !== lengthDelimited && wire !== unpacked)) return list.skip(wire);
    const packed = wire === lengthDelimited ? list.length() : null;
    const start = list.pos;
    if (packed === null) list.skip(wire);
    else list.advance(packed);
    visit(start, list.pos);
  });
  list.pos = pos;
}
