import type { JsonObject } from '#core';
import { i32 } from '../parquet/plain-chunk.ts';
import { type KnownSchema, leavesOf } from '../parquet/salvage.ts';
import { type ThriftStruct, wire } from '../parquet/thrift.ts';

const repetition = { optional: 1, repeated: 2 } as const;
const converted = { text: 0, list: 3 } as const;

/** How values are stored: Parquet's physical type, and the converted type of those that have one. */
const stored: Readonly<Record<string, readonly [physical: number, converted?: number]>> = {
  bool: [0],
  int8: [1, 15],
  int16: [1, 16],
  int32: [1],
  int64: [2],
  uint8: [1, 11],
  uint16: [1, 12],
  uint32: [1, 13],
  float32: [4],
  float64: [5],
  string: [6, converted.text],
};

/** The schema that LeRobot's writer gives data files of these features; null where a feature is of a kind not known. */
export function schemaOfFeatures(features: ReadonlyMap<string, JsonObject>): KnownSchema | null {
  const elements: ThriftStruct[] = [];
  const perRow = new Map<string, number>();
  let columns = 0;
  for (const [name, feature] of features) {
    if (feature.dtype === 'video') continue;
    const shape = Array.isArray(feature.shape) ? feature.shape.map(Number) : [];
    const own = feature.dtype === 'image' ? picture(name) : numbers(name, String(feature.dtype), shape);
    if (own === null) return null;
    elements.push(...own);
    perRow.set(name, feature.dtype === 'image' ? 1 : shape.reduce((product, size) => product * size, 1));
    columns += 1;
  }
  const root: ThriftStruct = new Map([
    [4, text('schema')],
    [5, i32(columns)],
  ]);
  const all = [root, ...elements];
  return { elements: all, leaves: leavesOf(all, (name) => perRow.get(name) ?? 1) };
}

function numbers(name: string, dtype: string, shape: readonly number[]): ThriftStruct[] | null {
  const kind = stored[dtype];
  if (kind === undefined) return null;
  const depth = shape.length === 1 && shape[0] === 1 ? 0 : shape.length;
  const elements: ThriftStruct[] = [];
  let own = name;
  for (let level = 0; level < depth; level++) {
    elements.push(group(own, repetition.optional, 1, converted.list), group('list', repetition.repeated, 1));
    own = 'element';
  }
  return [...elements, leaf(own, kind[0], kind[1])];
}

function picture(name: string): ThriftStruct[] {
  return [group(name, repetition.optional, 2), leaf('bytes', 6), leaf('path', 6, converted.text)];
}

function leaf(name: string, physical: number, kind?: number): ThriftStruct {
  const element: ThriftStruct = new Map([
    [1, i32(physical)],
    [3, i32(repetition.optional)],
    [4, text(name)],
  ]);
  if (kind !== undefined) element.set(6, i32(kind));
  return element;
}

function group(name: string, repeats: number, children: number, kind?: number): ThriftStruct {
  const element: ThriftStruct = new Map([
    [3, i32(repeats)],
    [4, text(name)],
    [5, i32(children)],
  ]);
  if (kind !== undefined) element.set(6, i32(kind));
  return element;
}

function text(value: string) {
  return { type: wire.binary, value: new TextEncoder().encode(value) };
}
