import { emptyTaps, type Taps, typeAt } from '@assay/ros-messages';
import protobuf from 'protobufjs';
import descriptor from 'protobufjs/ext/descriptor/index.js';
import { describe, expect, it } from 'vitest';
import { rounds } from '#test/support/tiers';
import { viewOf } from './message-compression.ts';
import { openProtobufSchema } from './protobuf-types.ts';

const source = `syntax = "proto3";
package test;
message Time { int64 seconds = 1; int32 nanos = 2; }
message Joint { string name = 1; optional double position = 2; optional double velocity = 3; double effort = 4; }
message Inner { float x = 1; sint32 z = 2; }
message All {
  double d = 1; float f = 2; int32 i32 = 3; int64 i64 = 4; uint32 u32 = 5; uint64 u64 = 6; sint64 s64 = 7;
  fixed32 f32 = 8; fixed64 f64 = 9; sfixed32 sf32 = 10; sfixed64 sf64 = 11; bool b = 12; Color c = 13;
  repeated double packed = 14; repeated int32 loose = 15 [packed = false];
  Inner inner = 16; repeated Joint joints = 17; string words = 18; bytes data = 200;
  enum Color { RED = 0; BLUE = 5; }
}`;

/** protobufjs adds this method when its descriptor extension is loaded, and does not declare it. */
function descriptorOf(root: protobuf.Root): protobuf.Message {
  if (!('toDescriptor' in root) || typeof root.toDescriptor !== 'function')
    throw new Error('no descriptor extension');
  return root.toDescriptor('proto3');
}

function compile(taps: Partial<Taps>) {
  const root = protobuf.parse(source, { keepCase: true }).root;
  const schema = descriptor.FileDescriptorSet.encode(descriptorOf(root)).finish();
  const text = { messageEncoding: 'protobuf', schemaEncoding: 'protobuf', schemaName: 'test.All', schema };
  const opened = openProtobufSchema(text);
  const decoder = opened.compile({ ...emptyTaps(), ...taps });
  const type = root.lookupType('test.All');
  return {
    root: opened.root,
    decode: (value: object) => {
      const bytes = type.encode(type.fromObject(value)).finish();
      return decoder.decode(bytes, viewOf(bytes), 0, bytes.length);
    },
    decoder,
    group: (g: number) => Array.from(decoder.out.numbers[g].subarray(0, decoder.out.counts[g])),
  };
}

const numbers = [
  'd',
  'f',
  'i32',
  'i64',
  'u32',
  'u64',
  's64',
  'f32',
  'f64',
  'sf32',
  'sf64',
  'b',
  'c',
  'inner.x',
  'inner.z',
];

describe('decoding Protocol Buffers without building objects', () => {
  it('reads every kind of number as protobufjs wrote it', () => {
    const { decode, group } = compile({ numbers: [{ paths: numbers }] });
    const value = {
      d: 1.5,
      f: 0.25,
      i32: -7,
      i64: -5_000_000_000,
      u32: 4_000_000_000,
      u64: 5_000_000_000,
      s64: -6_000_000_000,
      f32: 3,
      f64: 4_294_967_299,
      sf32: -3,
      sf64: -4_294_967_299,
      b: true,
      c: 5,
      inner: { x: 2.5, z: -9 },
    };
    expect(decode(value)).toBe(true);
    expect(group(0)).toEqual([
      1.5, 0.25, -7, -5_000_000_000, 4_000_000_000, 5_000_000_000, -6_000_000_000, 3, 4_294_967_299, -3,
      -4_294_967_299, 1, 5, 2.5, -9,
    ]);
  });

  it('takes a field that is absent for zero, as proto3 means it', () => {
    const { decode, group } = compile({ numbers: [{ paths: ['d', 'i32'] }] });
    expect(decode({ i32: 3 })).toBe(true);
    expect(group(0)).toEqual([0, 3]);
    expect(decode({})).toBe(true);
    expect(group(0)).toEqual([0, 0]);
  });

  it('reads repeated numbers, packed and not', () => {
    const { decode, group } = compile({ numbers: [{ paths: ['packed'] }, { paths: ['loose'] }] });
    expect(decode({ packed: [1, 2.5, -3], loose: [4, -5] })).toBe(true);
    expect([group(0), group(1)]).toEqual([
      [1, 2.5, -3],
      [4, -5],
    ]);
  });

  it('reads lists of joints, and tells a field nobody sets from one that is zero', () => {
    const paths = ['joints[].position', 'joints[].velocity', 'joints[].effort'];
    const { decode, decoder, group } = compile({
      numbers: paths.map((path) => ({ paths: [path] })),
      names: 'joints[].name',
    });
    expect(decode({ joints: [{ name: 'a', position: 1 }, { name: 'b' }, { name: 'c', position: 0 }] })).toBe(
      true,
    );
    expect(group(0)).toEqual([1, Number.NaN, 0]);
    expect(group(1)).toEqual([]);
    expect(group(2)).toEqual([0, 0, 0]);
    expect(decoder.out.names()).toEqual(['a', 'b', 'c']);
  });

  it('takes text and payload by range, with field numbers of two bytes', () => {
    const { decode, decoder } = compile({ texts: ['words'], payload: 'data' });
    expect(decode({ words: 'héllo', data: Uint8Array.of(1, 2, 3), d: 4 })).toBe(true);
    expect(decoder.out.text(0)).toBe('héllo');
    expect(Array.from(decoder.out.payload() ?? [])).toEqual([1, 2, 3]);
  });

  it('throws RangeError or reads on, and nothing else, whatever the bytes', () => {
    const { decoder } = compile({
      numbers: [{ paths: numbers }, { paths: ['packed'] }],
      names: 'joints[].name',
    });
    for (let seed = 0; seed < rounds(200, 20_000); seed++) {
      const bytes = Uint8Array.from({ length: seed % 40 }, (_, i) => (seed * 2654435761 * (i + 7)) >>> 13);
      try {
        decoder.decode(bytes, viewOf(bytes), 0, bytes.length);
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(RangeError);
      }
    }
  });

  it('keeps structs, lists and bytes apart in the type tree', () => {
    const { root } = compile({});
    expect(typeAt(root, 'inner.x')).toEqual({ kind: 'number', type: 'float32' });
    expect(typeAt(root, 'joints[].name')).toEqual({ kind: 'string' });
  });

  it('refuses a descriptor set that is none, and a message it does not define', () => {
    const text = { messageEncoding: 'protobuf', schemaEncoding: 'protobuf', schemaName: 'x.Y' };
    expect(() => openProtobufSchema({ ...text, schema: Uint8Array.of(0xff, 0xff, 0xff) })).toThrow(
      'FileDescriptorSet',
    );
    expect(() => openProtobufSchema({ ...text, schema: new Uint8Array(0) })).toThrow('does not define x.Y');
  });
});
