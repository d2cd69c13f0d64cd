import { exportFormats } from '#formats/write';
import type { FoundDatasets } from '../look/datasets.ts';
import { copyLeRobot, planLeRobot } from './copy-lerobot.ts';
import { demandExportable, isCopied } from './demand-exportable.ts';
import type { ExportedSet, ExportHooks, ExportPlan, ExportSetTask, ExportSource } from './export-task.ts';
import { planWritten } from './plan-written.ts';
import { gone, readKept } from './read-kept.ts';
import { writeSet } from './write-set.ts';

/**
 * Writes some episodes of a dataset, or of several, as a set of another format; inside a thread. LeRobot's rows and packets
 * are copied into LeRobot's own format; everything else goes through what each episode's reader gives. Throws `usage`
 * where the format cannot hold the recordings, `unreadable_input`, `not_found`, `not_ready`, …
 */
export async function exportSet(
  all: readonly FoundDatasets[],
  task: ExportSetTask,
  hooks: ExportHooks,
): Promise<ExportedSet> {
  const sources = sourcesOf(all, task, hooks);
  const [{ found, kept }] = sources;
  const source_formats = sources.map((own) => own.found.dataset.facts.format);
  demandExportable(task, source_formats);
  const { format } = task;
  if (isCopied(format, source_formats[0])) return copyLeRobot(sources, { ...task, format }, hooks);
  const row = exportFormats.get(format)!;
  return writeSet(found, task, { format: row, open: await row.writer(), kept, hooks });
}

/** What an export would do; null where no row would be left. Nothing is written. */
export async function planExport(
  all: readonly FoundDatasets[],
  task: ExportSetTask,
  hooks: ExportHooks,
): Promise<ExportPlan | null> {
  const sources = sourcesOf(all, task, hooks);
  const [{ found, kept }] = sources;
  const { format } = task;
  const source_formats = sources.map((own) => own.found.dataset.facts.format);
  demandExportable(task, source_formats);
  if (isCopied(format, source_formats[0])) return planLeRobot(sources, { ...task, format }, hooks);
  return planWritten(found, task, { format: exportFormats.get(format)!, kept });
}

/** Undefined: it is not there. */
export const findDataset = (
  { found }: FoundDatasets,
  { dataset, of }: Pick<ExportSource, 'dataset' | 'of'>,
) =>
  found.find(
    ({ recognised, dataset: { facts } }) =>
      recognised.path === dataset && (of === undefined || facts.format === of),
  );

function sourcesOf(all: readonly FoundDatasets[], task: ExportSetTask, hooks: ExportHooks) {
  return task.sources.map((source, place) => {
    const found = findDataset(all[place], source);
    if (found === undefined) throw gone(source.dataset);
    return { source, found, kept: readKept(found, source.keep, hooks) };
  });
}
