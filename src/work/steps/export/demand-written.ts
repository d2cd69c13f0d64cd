import type { ExportFormatId } from '#contract';
import { exportFormats, isLeRobotVersion, type LeRobotVersion } from '#exports';
import { AssayError } from '#kernel';

/** Whether a dataset's rows and packets are copied: LeRobot into one of its own versions. */
export const isCopied = (format: ExportFormatId, dataset_format: string): format is LeRobotVersion =>
  dataset_format === 'lerobot' && isLeRobotVersion(format);

/** Throws `usage` where nothing writes datasets of a format as another. */
export function demandWritten(format: ExportFormatId, dataset_format: string): void {
  if (isCopied(format, dataset_format) || exportFormats.get(format)?.writer !== undefined) return;
  const written = exportFormats.rows.flatMap((row) => (row.writer === undefined ? [] : [row.id]));
  throw new AssayError('usage', `nothing is written as ${format} yet`, {
    advice: `use one of ${written.join(', ')}`,
  });
}
