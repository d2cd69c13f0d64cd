import { viewOf } from '../../shared/messages/decoders/message-compression.ts';
import { ProtobufReader } from '../../shared/messages/decoders/protobuf-wire.ts';

/** The values of one feature of a tf.train.Example, decoded when they are asked for. */
export interface FeatureValues {
  readonly kind: 'bytes' | 'float' | 'int64';
  /** How many values the list holds. */
  readonly count: number;
  /** float_list and int64_list as numbers; empty for bytes_list. Past 2^53 an int64 is the nearest double. */
  numbers(): Float32Array | Float64Array;
  /** One entry of a bytes_list: a view into the record. */
  bytes(index: number): Uint8Array;
}

/**
 * Decodes a tf.train.Example (tensorflow/core/example/example.proto): features by name. Throws RangeError where the
 * bytes are no such message. A name that comes twice: the last counts, as for any protobuf map.
 */
export function decodeExample(bytes: Uint8Array): Map<string, FeatureValues> {
  const reader = new ProtobufReader();
  const view = viewOf(bytes);
  const found = new Map<string, FeatureValues>();
  const text = new TextDecoder();
  reader.reset(bytes, view, 0, bytes.length);
  eachMessage(reader, 1, () => {
    eachMessage(reader, 1, () => {
      let name = '';
      let values: FeatureValues = noValues;
      eachField(reader, (field, wire) => {
        if (wire !== 2 || field > 2) return reader.skip(wire);
        const length = reader.length();
        const start = reader.advance(length);
        if (field === 1) name = text.decode(bytes.subarray(start, start + length));
        else values = featureIn(bytes, view, start, start + length);
      });
      found.set(name, values);
    });
  });
  return found;
}

const noValues: FeatureValues = {
  kind: 'bytes',
  count: 0,
  numbers: () => new Float32Array(0),
  bytes: () => new Uint8Array(0),
};

/** Goes through the fields up to the reader's end. */
function eachField(reader: ProtobufReader, take: (field: number, wire: number) => void): void {
  while (reader.pos < reader.end) {
    const tag = reader.varint();
    take(Math.floor(tag / 8), tag % 8);
  }
}

/** Enters every message under a field number; the reader stands behind it afterwards. */
function eachMessage(reader: ProtobufReader, wanted: number, take: () => void): void {
  eachField(reader, (field, wire) => {
    if (field !== wanted || wire !== 2) return reader.skip(wire);
    const length = reader.length();
    const after = reader.pos + length;
    const outer = reader.end;
    reader.end = after;
    take();
    reader.end = outer;
    reader.pos = after;
  });
}

/** `Feature`: a oneof of bytes_list, float_list and int64_list, each a list in field 1; the last one set counts. */
function featureIn(bytes: Uint8Array, view: DataView, start: number, end: number): FeatureValues {
  const reader = new ProtobufReader();
  let values = noValues;
  reader.reset(bytes, view, start, end);
  eachField(reader, (field, wire) => {
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
  eachRun(list, lengthDelimited, () => count++);
  const bounds = new Float64Array(2 * count);
  let at = 0;
  eachRun(list, lengthDelimited, (start, end) => {
    bounds[at++] = start;
    bounds[at++] = end;
  });
  return { ...noValues, count, bytes: (index) => bytes.subarray(bounds[2 * index], bounds[2 * index + 1]) };
}

function floatList(list: ProtobufReader): FeatureValues {
  let count = 0;
  eachRun(list, fixed32, (start, end) => {
    count += (end - start) >>> 2;
  });
  const numbers = () => {
    const values = new Float32Array(count);
    const raw = new Uint8Array(values.buffer);
    let at = 0;
    eachRun(list, fixed32, (start, end) => {
      const whole = (end - start) & ~3;
      raw.set(list.bytes.subarray(start, start + whole), at);
      at += whole;
    });
    return values;
  };
  return { ...noValues, kind: 'float', count, numbers };
}

function int64List(list: ProtobufReader): FeatureValues {
  let count = 0;
  eachRun(list, varint, (start, end) => {
    for (let at = start; at < end; at++) if (list.bytes[at] < 0x80) count++;
  });
  const numbers = () => {
    const values = new Float64Array(count);
    const run = new ProtobufReader();
    let at = 0;
    eachRun(list, varint, (start, end) => {
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
  return { ...noValues, kind: 'int64', count, numbers };
}

const varint = 0;
const lengthDelimited = 2;
const fixed32 = 5;

/**
 * Where the values of a list (field 1) stand: one run for packed ones, as every current writer makes them, else a run a
 * value. The list is left as it was.
 */
function eachRun(list: ProtobufReader, unpacked: number, take: (start: number, end: number) => void): void {
  const { pos } = list;
  eachField(list, (field, wire) => {
    if (field !== 1 || (wire !== lengthDelimited && wire !== unpacked)) return list.skip(wire);
    const packed = wire === lengthDelimited ? list.length() : null;
    const start = list.pos;
    if (packed === null) list.skip(wire);
    else list.advance(packed);
    take(start, list.pos);
  });
  list.pos = pos;
}
