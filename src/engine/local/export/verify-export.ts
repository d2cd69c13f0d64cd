import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError, wrapReadError } from '#core';
import { computeSeal, hashFiles, type Lineage, lineageFile } from '../../steps/export/lineage.ts';

/** Result of `verifyExport`. */
export interface VerifiedExport {
  readonly lineage: Lineage;
  /** Differences from the sealed state, as text; empty if there are none. */
  readonly problems: readonly string[];
}

/**
 * Compares the files of an export with the hashes in its lineage file, and this file with its own seal, and returns the
 * differences.
 * @throws if the lineage file cannot be read
 */
export async function verifyExport(folder: string): Promise<VerifiedExport> {
  const lineage = readLineage(join(folder, lineageFile));
  const { seal, ...rest } = lineage;
  const problems = computeSeal(rest) === seal ? [] : [`${lineageFile} was changed: its hash does not match`];
  const sealed = new Map(lineage.files.map((file) => [file.path, file]));
  for (const { path, sha256 } of await hashFiles(folder)) {
    const was = sealed.get(path);
    sealed.delete(path);
    if (was === undefined) problems.push(`${path} was added after the export`);
    else if (was.sha256 !== sha256) problems.push(`${path} was changed after the export`);
  }
  for (const path of sealed.keys()) problems.push(`${path} is missing`);
  return { lineage, problems };
}

function readLineage(path: string): Lineage {
  try {
    const read = JSON.parse(readFileSync(path, 'utf8')) as Lineage;
    if (read.schema !== 'assay/lineage/v1' || !Array.isArray(read.files))
      throw new Error('not the lineage file of an export');
    return read;
  } catch (thrown) {
    if (thrown instanceof AssayError) throw thrown;
    throw wrapReadError(thrown, path, `restore ${lineageFile}, or export again`);
  }
}
