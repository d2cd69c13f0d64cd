import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '#core';
import { rows } from '../../../shared/parquet/chunks.ts';
import { parquetSource } from '../../../shared/parquet/duck.ts';
import { readFooter } from '../parquet/footer.ts';
import { type KnownSchema, salvage, schemaOfFooter } from '../parquet/salvage.ts';
import { type DataFile, readDataFile } from './data-file.ts';
import { schemaOfFeatures } from './feature-schema.ts';

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
