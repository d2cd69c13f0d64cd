import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '#core';
import { rows } from '../../../shared/parquet/chunks.ts';
import { parquetSource } from '../../../shared/parquet/duck.ts';
import { readFooter } from '../parquet/footer.ts';
import { i32 } from '../parquet/plain-chunk.ts';
import { type KnownSchema, leavesOf, salvage, schemaOfFooter } from '../parquet/salvage.ts';
import { type ThriftStruct, wire } from '../parquet/thrift.ts';
import { type DataFile, readDataFile } from './data-file.ts';

/** A data file without a footer, with what could be got back of it in a file of its own. */
export interface SalvagedFile {
  readonly file: DataFile;
  readonly groups: number;
}

/**
 * Gets the row groups back that a killed recorder had written to a data file. The columns are those of a file that is
 * whole or, where there is none, those that the library writes for these features. Null where nothing is.
 */
export async function salvageData(
  absolute: string,
  path: string,
  scratch: string,
  features: ReadonlyMap<string, JsonObject>,
  sound: readonly string[],
  most = Infinity,
): Promise<SalvagedFile | null> {
  const target = join(scratch, path.replaceAll('/', '_'));
  for (const schema of await schemasOf(features, sound)) {
    const got = await salvage(absolute, target, schema, most).catch(() => null);
    if (got === null || !(await reads(target))) continue;
    return { file: await readDataFile(target, path), groups: got.groups };
  }
  return null;
}

async function schemasOf(
  features: ReadonlyMap<string, JsonObject>,
  [sound]: readonly string[],
): Promise<KnownSchema[]> {
  const schemas: KnownSchema[] = [];
  const perRow = (name: string) => {
    const feature = features.get(name);
    const shape = feature?.dtype === 'image' ? null : feature?.shape;
    return Array.isArray(shape) ? shape.reduce<number>((product, size) => product * Number(size), 1) : 1;
  };
  if (sound !== undefined) {
    const file = await open(sound, 'r');
    schemas.push(
      await readFooter(file, sound)
        .then((footer) => schemaOfFooter(footer, perRow))
        .finally(() => file.close()),
    );
  }
  const declared = schemaOfFeatures(features);
  return declared === null ? schemas : [...schemas, declared];
}

/** Every value is read once: pages that fit by their counts alone would show here. */
async function reads(path: string): Promise<boolean> {
  return rows(`SELECT max(hash(COLUMNS(*)))::VARCHAR FROM ${parquetSource([path])}`).then(
    () => true,
    () => false,
  );
}

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
function schemaOfFeatures(features: ReadonlyMap<string, JsonObject>): KnownSchema | null {
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
