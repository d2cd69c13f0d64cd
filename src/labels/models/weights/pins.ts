import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AssayError, messageOf, pointerPart, wrapReadError } from '#core';
import type { Pin } from '../surface.ts';
import { pinsFile, weightsPath } from './weight-folders.ts';

const pinSchema = z.strictObject({
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lowercase hexadecimal digits'),
  bytes: z.int().nonnegative().nullable().default(null),
});
const pinsSchema = z.record(z.string(), pinSchema);
const pinsFileSchema = z.record(z.string(), pinsSchema);

/** Pins by path in the model's folder. */
export type Pins = Readonly<Record<string, Pin>>;

/**
 * Reads the pins (hashes by path) that were accepted for a model on this machine; empty without a file, throws
 * `invalid_settings` for an invalid one.
 */
export async function readAcceptedPins(data_folder: string, model: string): Promise<Pins> {
  const file = join(weightsPath(data_folder, model), pinsFile);
  const text = await readOptional(file);
  return text === null ? {} : parsePins(pinsSchema, text, file);
}

/**
 * Reads a JSON file with pins for several models, by model and path; throws `not_found` without a file,
 * `invalid_settings` for an invalid one. Its form is `{ "<vendor>/<model>": { "<path>": { "sha256": … } } }`.
 */
export async function readPinsFile(file: string): Promise<Readonly<Record<string, Pins>>> {
  const text = await readOptional(file);
  if (text === null) throw new AssayError('not_found', `no such file: ${file}`, { path: file });
  return parsePins(pinsFileSchema, text, file);
}

async function readOptional(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    const error = wrapReadError(thrown, file);
    if (error.code === 'not_found') return null;
    throw error;
  }
}

function parsePins<Schema extends z.ZodType>(schema: Schema, text: string, file: string): z.output<Schema> {
  const invalidPins = (message: string, cause?: unknown) =>
    new AssayError('invalid_settings', `${file} is not a valid list of pins: ${message}`, {
      path: file,
      advice: 'see docs/models.md for an example',
      cause,
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw invalidPins(messageOf(thrown), thrown);
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [{ path, message }] = result.error.issues;
  throw invalidPins(`${path.map((part) => `/${pointerPart(part)}`).join('')}: ${message}`);
}

/** Replaces the accepted pins of a model on this machine, atomically; creates its folder if necessary. */
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
