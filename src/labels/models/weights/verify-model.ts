import { join } from 'node:path';
import { wrapReadError } from '#core';
import type { ModelOption } from '../surface.ts';
import { hashFile } from './hash-file.ts';
import { type Pins, readAcceptedPins } from './pins.ts';
import { listWeightFiles, weightsPath } from './weight-folders.ts';

interface VerifiedFile {
  readonly path: string;
  /** `not_pinned`: there is no pin to compare with. */
  readonly verdict: 'intact' | 'mismatch' | 'not_pinned' | 'missing';
  /** Actual SHA-256; `null` if the file is missing. */
  readonly sha256: string | null;
  /** Expected SHA-256; `null` without a pin. */
  readonly expected: string | null;
}

/** Result of `verifyModel`. */
export interface VerifiedModel {
  readonly model: string;
  /** Model folder. */
  readonly folder: string;
  /** Whether there are files, none is missing, and none differs from its pin. */
  readonly intact: boolean;
  readonly files: readonly VerifiedFile[];
}

/**
 * Compares the hashes of a model's files with their pins and returns the verdict of each; `intact` is false if a file
 * is missing or differs, or there is none, but not for a file without a pin.
 */
export async function verifyModel(
  option: ModelOption,
  {
    data_folder,
    pins,
    signal,
  }: { readonly data_folder: string; readonly pins: Pins; readonly signal: AbortSignal },
): Promise<VerifiedModel> {
  const folder = weightsPath(data_folder, option.id);
  const accepted = await readAcceptedPins(data_folder, option.id);
  const present = (await listWeightFiles(data_folder)).get(option.id) ?? new Set<string>();
  const registryFiles = option.weights?.files ?? [];
  const registryPins = new Map(registryFiles.map(({ path, pin }) => [path, pin]));
  // Without files in the registry, accepted files that have been deleted count as missing.
  const paths =
    registryFiles.length > 0
      ? [...registryPins.keys()]
      : [...new Set([...present, ...Object.keys(accepted)])].sort();
  const files: VerifiedFile[] = [];
  for (const path of paths) {
    const pin = registryPins.get(path) ?? pins[path] ?? accepted[path];
    const expected = pin?.sha256 ?? null;
    if (!present.has(path)) {
      files.push({ path, verdict: 'missing', sha256: null, expected });
      continue;
    }
    const { sha256 } = await hashFile(join(folder, path), signal).catch((thrown) => {
      throw wrapReadError(thrown, join(folder, path));
    });
    const verdict = expected === null ? 'not_pinned' : expected === sha256 ? 'intact' : 'mismatch';
    files.push({ path, verdict, sha256, expected });
  }
  const isBad =
    files.length === 0 || files.some(({ verdict }) => verdict === 'missing' || verdict === 'mismatch');
  return { model: option.id, folder, intact: !isBad, files };
}
