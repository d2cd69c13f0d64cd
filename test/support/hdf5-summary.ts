import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { type AttributeSet, Hdf5Dataset, Hdf5Group } from '@assay/hdf5';
import { AssayError } from '#core';
import { openSourceTree } from '#io/sources';
import { openHdf5 } from '../../src/formats/shared/hdf5-file.ts';

/** Everything in a file, as `hdf5_truth.py` writes it: each array's shape and hash, each object's attributes. */
export async function hdf5Summary(path: string): Promise<Record<string, unknown>> {
  const file = await openHdf5(await openSourceTree(path), basename(path));
  const found: Record<string, unknown> = {};
  const seen = new Set([file.root.address]);

  async function look(group: Hdf5Group, prefix: string): Promise<void> {
    for (const [name, link] of await group.links()) {
      if (link.kind !== 'hard') continue;
      const at = `${prefix}/${name}`;
      const object = await group.open(name);
      if (object instanceof Hdf5Dataset) found[at] = await described(object);
      else if (!(object instanceof Hdf5Group) || seen.has(object.address)) continue;
      else {
        seen.add(object.address);
        await look(object, at);
      }
      const attributes = await attributesOf(object.attributes);
      if (Object.keys(attributes).length > 0) found[`${at}@`] = attributes;
    }
  }

  await look(file.root, '');
  await file.close();
  return found;
}

async function described(dataset: Hdf5Dataset): Promise<unknown> {
  const { shape, type } = dataset;
  try {
    if (type.kind === 'text') {
      return ['text', shape, sha256(Buffer.from((await dataset.readTexts()).join('\n')))];
    }
    if (type.kind === 'sequence')
      return ['sequence', shape, sha256(Buffer.concat(await dataset.readItems()))];
    if (!dataset.isNumeric) return ['bytes', shape, sha256(await dataset.readBytes())];
    return ['number', shape, sha256(await numbersInParts(dataset))];
  } catch (thrown) {
    if (thrown instanceof AssayError) return ['unread', thrown.message];
    throw thrown;
  }
}

/** Read in three ranges of rows, which must come to the same as the whole. */
async function numbersInParts(dataset: Hdf5Dataset): Promise<Uint8Array> {
  const third = Math.floor(dataset.rows / 3);
  const bounds = [0, third, third * 2 + 1, dataset.rows].map((row) => Math.min(row, dataset.rows));
  const parts: Buffer[] = [];
  for (let i = 0; i < 3; i++) {
    const numbers: ArrayLike<number | bigint> = await dataset.readNumbers(bounds[i], bounds[i + 1]);
    const comparable = Float64Array.from(numbers as ArrayLike<number>, (value) => finite(Number(value)));
    parts.push(Buffer.from(comparable.buffer));
  }
  return Buffer.concat(parts);
}

function finite(value: number): number {
  if (Number.isNaN(value)) return -12345.5;
  return Math.abs(value) === Number.POSITIVE_INFINITY ? Math.sign(value) * 1e308 : value;
}

async function attributesOf(attributes: AttributeSet): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const name of await attributes.names()) {
    try {
      const value = await attributes.get(name);
      const isNumber = typeof value === 'bigint' || typeof value === 'boolean';
      if (ArrayBuffer.isView(value)) found[name] = Array.from(value as Float64Array, Number);
      else found[name] = isNumber ? Number(value) : (value ?? null);
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown;
      found[name] = 'not read';
    }
  }
  return found;
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
