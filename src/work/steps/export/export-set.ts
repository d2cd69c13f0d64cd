import { exportFormats } from '#exports';
import { AssayError } from '#kernel';
import type { FoundDatasets } from '../look/datasets.ts';
import { copyLeRobot } from './copy-lerobot.ts';
import { demandWritten, isCopied } from './demand-written.ts';
import type { ExportedSet, ExportHooks, ExportSetTask } from './export-task.ts';
import { gone, readKept } from './read-kept.ts';
import { writeSet } from './write-set.ts';

/**
 * Writes some of a dataset's episodes as a set of another format; inside a thread. LeRobot's rows and packets are copied
 * into LeRobot's own format; everything else goes through what each episode's reader gives. Throws `usage` where the
 * format cannot hold the recordings, `unreadable_input`, `not_found`, `not_ready`, …
 */
export async function exportSet(
  { found }: FoundDatasets,
  task: ExportSetTask,
  hooks: ExportHooks,
): Promise<ExportedSet> {
  const one = found.find(({ claim }) => claim.path === task.dataset);
  if (one === undefined) throw gone(task.dataset);
  const { format } = task;
  const source_format = one.dataset.facts.format;
  demandWritten(format, source_format);
  const kept = readKept(one, task.keep, hooks);
  if (isCopied(format, source_format)) return copyLeRobot(one, { ...task, format }, kept, hooks);
  const [edit] = Object.keys(task.edits ?? {});
  if (edit !== undefined)
    throw new AssayError(
      'usage',
      `--${edit} changes LeRobot sets that are written as LeRobot, not ${format}`,
      {
        advice: `leave --${edit} out, or export as lerobot-v3 first and then from there`,
      },
    );
  const row = exportFormats.get(format)!;
  return writeSet(one, task, { format: row, open: await row.writer!(), kept, hooks });
}
