import { verifyExport } from '#engine/local/export';
import type { Io } from '../../io.ts';
import { count } from '../../words.ts';

/** `assay verify EXPORT`. Exit 1 when a file is not as it was sealed. */
export async function verifyExportCommand(
  folder: string,
  { json }: { json?: boolean },
  io: Io,
): Promise<number> {
  const { lineage, problems } = await verifyExport(folder);
  const { seal, files, kept, dropped } = lineage;
  if (json === true)
    await io.out(
      `${JSON.stringify({ seal, files: files.length, kept: kept.length, dropped: dropped.length, problems })}\n`,
    );
  else if (problems.length === 0)
    await io.out(
      `${count(files.length, 'file')} of ${count(kept.length, 'episode')}: all as they were sealed\nSeal: ${seal}\n`,
    );
  else await io.out(`${problems.join('\n')}\n`);
  return problems.length > 0 ? 1 : 0;
}
