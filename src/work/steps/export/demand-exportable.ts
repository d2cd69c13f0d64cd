import type { ExportFormatId } from '#contract';
import { isLeRobotVersion, type LeRobotVersion, readEdits } from '#exports';
import { AssayError } from '#kernel';
import type { ExportAsked } from './export-task.ts';

/** Whether a dataset's rows and packets are copied: LeRobot into one of its own versions. */
export const isCopied = (format: ExportFormatId, dataset_format: string): format is LeRobotVersion =>
  dataset_format === 'lerobot' && isLeRobotVersion(format);

/** Throws `usage` where what is asked cannot be done with datasets of these formats; looks at nothing else. */
export function demandExportable(
  { format, edits = {}, rate_hz }: ExportAsked,
  dataset_formats: readonly string[],
): void {
  readEdits(edits);
  if (dataset_formats.every((own) => isCopied(format, own))) {
    demandWholeRate(rate_hz);
    return;
  }
  const other = dataset_formats.find((own) => !isCopied(format, own));
  const what = isLeRobotVersion(format) ? `recordings of ${other}` : `sets that are written as ${format}`;
  const [edit] = Object.keys(edits);
  if (edit !== undefined)
    throw new AssayError('usage', `--${edit} changes LeRobot sets that are written as LeRobot, not ${what}`, {
      advice: `leave --${edit} out, or export as lerobot-v3 first and then from there`,
    });
  if (dataset_formats.length > 1)
    throw new AssayError(
      'usage',
      `several LeRobot sets become one that is written as LeRobot, and not ${what}`,
      {
        advice: 'export each as lerobot-v3 first, and then all of them as one',
      },
    );
}

function demandWholeRate(rate_hz: number | undefined): void {
  if (rate_hz === undefined || Number.isInteger(rate_hz)) return;
  throw new AssayError('usage', `LeRobot counts whole frames a second, and ${rate_hz} is not whole`, {
    advice: `use --rate ${Math.max(1, Math.round(rate_hz))}`,
  });
}
