import { join } from 'node:path';
import { asUnreadable } from '#core';
import type { ModelOption } from '../surface.ts';
import { hashFile } from './hash-file.ts';
import { listPlaced } from './list-placed.ts';
import { type Pins, readAcceptedPins } from './pins.ts';
import { weightsPath } from './weight-folders.ts';

interface VerifiedFile {
  readonly path: string;
  /** `not_pinned`: nobody has said what it must be, so nothing speaks for or against it. */
  readonly verdict: 'intact' | 'mismatch' | 'not_pinned' | 'missing';
  /** What it is; null where it is missing. */
  readonly sha256: string | null;
  /** What it must be. */
  readonly expected: string | null;
}

export interface VerifiedModel {
  readonly model: string;
  /** On this machine. */
  readonly folder: string;
  /** Nothing missing, nothing other than pinned. */
  readonly intact: boolean;
  readonly files: readonly VerifiedFile[];
}

/** Hashes the files of a model that are here and holds them against their pins. */
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
  const placed = (await listPlaced(data_folder)).get(option.id) ?? new Set<string>();
  const known = option.weights?.files ?? [];
  const own = new Map(known.map(({ path, pin }) => [path, pin]));
  // What was accepted and is gone is missing, where the registry names no files as well.
  const wanted =
    known.length > 0 ? [...own.keys()] : [...new Set([...placed, ...Object.keys(accepted)])].sort();
  const files: VerifiedFile[] = [];
  for (const path of wanted) {
    const pin = own.get(path) ?? pins[path] ?? accepted[path];
    const expected = pin?.sha256 ?? null;
    if (!placed.has(path)) {
      files.push({ path, verdict: 'missing', sha256: null, expected });
      continue;
    }
    const { sha256 } = await hashFile(join(folder, path), signal).catch((thrown) => {
      throw asUnreadable(thrown, join(folder, path));
    });
    const verdict = expected === null ? 'not_pinned' : expected === sha256 ? 'intact' : 'mismatch';
    files.push({ path, verdict, sha256, expected });
  }
  const bad =
    files.length === 0 || files.some(({ verdict }) => verdict === 'missing' || verdict === 'mismatch');
  return { model: option.id, folder, intact: !bad, files };
}
