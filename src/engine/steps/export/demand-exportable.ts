import { AssayError } from '#core';
import type { ExportFormatId } from '#core/api';
import type { ExportEditId } from '#core/api/bounds';
import { exportFormats, isLeRobotVersion, type LeRobotVersion, readEdits } from '#formats/write';
import type { ExportAsked, ExportSource } from './export-task.ts';

/** Whether a dataset's rows and packets are copied: LeRobot into one of its own versions. */
export const isCopied = (format: ExportFormatId, dataset_format: string): format is LeRobotVersion =>
  dataset_format === 'lerobot' && isLeRobotVersion(format);

interface Demanded extends ExportAsked {
  readonly sources?: readonly Pick<ExportSource, 'trims'>[];
}

/** Throws `usage` where what is asked cannot be done with datasets of these formats; looks at nothing else. */
export function demandExportable(asked: Demanded, dataset_formats: readonly string[]): void {
  const { format, rate_hz } = asked;
  readEdits(asked.edits ?? {});
  if (dataset_formats.every((own) => isCopied(format, own))) {
    demandWholeRate(rate_hz);
    return;
  }
  demandEdits(asked);
  if (dataset_formats.length === 1) return;
  const other = dataset_formats.find((own) => !isCopied(format, own));
  const what = isLeRobotVersion(format) ? `recordings of ${other}` : `sets that are written as ${format}`;
  throw new AssayError(
    'usage',
    `several LeRobot sets become one that is written as LeRobot, and not ${what}`,
    {
      advice: 'export each as lerobot-v3 first, and then all of them as one',
    },
  );
}

function demandEdits({ format, edits = {}, sources = [] }: Demanded): void {
  const { title, edits: held } = exportFormats.get(format)!;
  const known: ReadonlySet<string> = new Set(held);
  const advice = `${title} takes ${held.map((id) => `--${id}`).join(', ')}; or export as lerobot-v3 first and then from there`;
  const other = Object.keys(edits).find((id) => !known.has(id));
  if (other !== undefined)
    throw new AssayError('usage', `--${other} cannot be done on the way into ${title}`, { advice });
  const trims = sources.reduce((sum, one) => sum + Object.keys(one.trims ?? {}).length, 0);
  if (trims > 0 && !known.has('trim' satisfies ExportEditId))
    throw new AssayError('usage', `the plan trims ${trims} episodes, which ${title} cannot hold parts of`, {
      advice,
    });
}

function demandWholeRate(rate_hz: number | undefined): void {
  if (rate_hz === undefined || Number.isInteger(rate_hz)) return;
  throw new AssayError('usage', `LeRobot counts whole frames a second, and ${rate_hz} is not whole`, {
    advice: `use --rate ${Math.max(1, Math.round(rate_hz))}`,
  });
}
