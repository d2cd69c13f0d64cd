import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError, asUnreadable } from '#core';
import { hashFiles, type Lineage, lineageFile, sealOf } from '../../steps/export/lineage.ts';

export interface VerifiedExport {
  readonly lineage: Lineage;
  /** What is not as it was sealed, in words; none when all is well. */
  readonly problems: readonly string[];
}

/** Compares an export with its own lineage. Throws where the lineage cannot be read. */
export async function verifyExport(folder: string): Promise<VerifiedExport> {
  const lineage = readLineage(join(folder, lineageFile));
  const { seal, ...rest } = lineage;
  const problems = sealOf(rest) === seal ? [] : [`${lineageFile} was changed: it does not give its own seal`];
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
      throw new Error('it is no lineage of an export');
    return read;
  } catch (thrown) {
    if (thrown instanceof AssayError) throw thrown;
    throw asUnreadable(thrown, path, `restore ${lineageFile}, or export again`);
  }
}
