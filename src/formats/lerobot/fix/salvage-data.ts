import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '#core';
import { fetchRows } from '../../shared/parquet/chunks.ts';
import { parquetSource } from '../../shared/parquet/duck.ts';
import { type DataFile, draftDataFile } from './data-file.ts';
import { readFooter } from './parquet/footer.ts';
import { i32 } from './parquet/plain-chunk.ts';
import { listLeaves, type SalvageSchema, salvage, schemaFromFooter } from './parquet/salvage.ts';
import { type ThriftStruct, wireTypes } from './parquet/thrift.ts';

/** A recovered data file and its number of row groups. */
export interface SalvagedFile {
  readonly file: DataFile;
  readonly groups: number;
}

/**
 * Recovers the complete row groups of a data file without a footer into the scratch folder; null if nothing can be
 * recovered. The schema is taken from an intact file, or derived from the features.
 */
export async function salvageData(
  absolute: string,
  path: string,
  scratch: string,
  features: ReadonlyMap<string, JsonObject>,
  intact: readonly string[],
  maxGroups = Infinity,
): Promise<SalvagedFile | null> {
  const target = join(scratch, path.replaceAll('/', '_'));
  for (const schema of await collectSchemas(features, intact)) {
    const got = await salvage(absolute, target, schema, maxGroups).catch(() => null);
    if (got === null || !(await isReadable(target))) continue;
    return { file: await draftDataFile(target, path), groups: got.groups };
  }
  return null;
}

/** Returns the schemas to try: that of an intact file, then the one derived from the features. */
async function collectSchemas(
  features: ReadonlyMap<string, JsonObject>,
  [intact]: readonly string[],
): Promise<SalvageSchema[]> {
  const schemas: SalvageSchema[] = [];
  const perRow = (name: string) => {
    const feature = features.get(name);
    const shape = feature?.dtype === 'image' ? null : feature?.shape;
    return Array.isArray(shape) ? shape.reduce<number>((product, size) => product * Number(size), 1) : 1;
  };
  if (intact !== undefined) {
    const file = await open(intact, 'r');
    schemas.push(
      await readFooter(file, intact)
        .then((footer) => schemaFromFooter(footer, perRow))
        .finally(() => file.close()),
    );
  }
  const declared = buildSchema(features);
  return declared === null ? schemas : [...schemas, declared];
}

/** Returns true if every value of the file can be read; page counts alone do not prove that. */
async function isReadable(path: string): Promise<boolean> {
  return fetchRows(`SELECT max(hash(COLUMNS(*)))::VARCHAR FROM ${parquetSource([path])}`).then(
    () => true,
    () => false,
  );
}

/** Parquet repetition types. */
const repetition = { optional: 1, repeated: 2 } as const;
/** Parquet converted types. */
const converted = { text: 0, list: 3 } as const;

/** Parquet physical type and optional converted type, by dtype. */
const storedTypes: Readonly<Record<string, readonly [physical: number, converted?: number]>> = {
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

/** Builds the schema that LeRobot's writer uses for these features; null if a dtype is unknown. */
function buildSchema(features: ReadonlyMap<string, JsonObject>): SalvageSchema | null {
  const elements: ThriftStruct[] = [];
  const perRow = new Map<string, number>();
  let columns = 0;
  for (const [name, feature] of features) {
    if (feature.dtype === 'video') continue;
    const shape = Array.isArray(feature.shape) ? feature.shape.map(Number) : [];
    const own =
      feature.dtype === 'image' ? pictureElements(name) : numericElements(name, String(feature.dtype), shape);
    if (own === null) return null;
    elements.push(...own);
    perRow.set(name, feature.dtype === 'image' ? 1 : shape.reduce((product, size) => product * size, 1));
    columns += 1;
  }
  const root: ThriftStruct = new Map([
    [4, thriftText('schema')],
    [5, i32(columns)],
  ]);
  const all = [root, ...elements];
  return { elements: all, leaves: listLeaves(all, (name) => perRow.get(name) ?? 1) };
}

function numericElements(name: string, dtype: string, shape: readonly number[]): ThriftStruct[] | null {
  const kind = storedTypes[dtype];
  if (kind === undefined) return null;
  const depth = shape.length === 1 && shape[0] === 1 ? 0 : shape.length;
  const elements: ThriftStruct[] = [];
  let own = name;
  for (let level = 0; level < depth; level++) {
    elements.push(
      groupElement(own, repetition.optional, 1, converted.list),
      groupElement('list', repetition.repeated, 1),
    );
    own = 'element';
  }
  return [...elements, leafElement(own, kind[0], kind[1])];
}

function pictureElements(name: string): ThriftStruct[] {
  return [
    groupElement(name, repetition.optional, 2),
    leafElement('bytes', 6),
    leafElement('path', 6, converted.text),
  ];
}

function leafElement(name: string, physical: number, kind?: number): ThriftStruct {
  const element: ThriftStruct = new Map([
    [1, i32(physical)],
    [3, i32(repetition.optional)],
    [4, thriftText(name)],
  ]);
  if (kind !== undefined) element.set(6, i32(kind));
  return element;
}

function groupElement(name: string, repeats: number, children: number, kind?: number): ThriftStruct {
  const element: ThriftStruct = new Map([
    [3, i32(repeats)],
    [4, thriftText(name)],
    [5, i32(children)],
  ]);
  if (kind !== undefined) element.set(6, i32(kind));
  return element;
}

function thriftText(value: string) {
  return { type: wireTypes.binary, value: new TextEncoder().encode(value) };
}
