import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AssayError, asUnreadable, messageOf } from '#core';
import type { Pin } from '../surface.ts';
import { pinsFile, weightsPath } from './weight-folders.ts';

const pinSchema = z.strictObject({
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits in lower case'),
  bytes: z.int().nonnegative().nullable().default(null),
});
const pinsSchema = z.record(z.string(), pinSchema);
const pinsFileSchema = z.record(z.string(), pinsSchema);

/** By path within the model's folder. */
export type Pins = Readonly<Record<string, Pin>>;

/** What was accepted for a model on this machine. Throws `invalid_settings` where the file was spoiled. */
export async function readAcceptedPins(data_folder: string, model: string): Promise<Pins> {
  const file = join(weightsPath(data_folder, model), pinsFile);
  const text = await textOf(file);
  return text === null ? {} : parsed(pinsSchema, text, file);
}

/** The pins that a person wrote for some models: `{ "<vendor>/<model>": { "<path>": { "sha256": … } } }`. */
export async function readPinsFile(file: string): Promise<Readonly<Record<string, Pins>>> {
  const text = await textOf(file);
  if (text === null) throw new AssayError('not_found', `there is no file ${file}`, { path: file });
  return parsed(pinsFileSchema, text, file);
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    const error = asUnreadable(thrown, file);
    if (error.code === 'not_found') return null;
    throw error;
  }
}

function parsed<Schema extends z.ZodType>(schema: Schema, text: string, file: string): z.output<Schema> {
  const said = (message: string, cause?: unknown) =>
    new AssayError('invalid_settings', `${file} is no list of pins: ${message}`, {
      path: file,
      advice: 'docs/models.md shows one',
      cause,
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw said(messageOf(thrown), thrown);
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [{ path, message }] = result.error.issues;
  throw said(
    `${path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')}: ${message}`,
  );
}

/** Keeps what was accepted, whole or not at all. */
export async function writeAcceptedPins(data_folder: string, model: string, pins: Pins): Promise<void> {
  const folder = weightsPath(data_folder, model);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, pinsFile);
  {
    await using written = await open(`${file}.new`, 'w', 0o600);
    await written.writeFile(`${JSON.stringify(pins, null, 2)}\n`);
    await written.sync();
  }
  await rename(`${file}.new`, file);
}
