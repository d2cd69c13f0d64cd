import { type ExportFormat, inTime } from '../export-format.ts';

export const mcapRecordings: ExportFormat = {
  id: 'mcap',
  title: 'MCAP recordings',
  carries:
    'every signal and camera at its own rate, events and flags; opens in Foxglove, Lichtblick and Rerun',
  kinds: inTime,
  otherwise: 'its messages have times; still pictures have none',
  writer: async () => (await import('./recording/write-recordings.ts')).openMcap,
};
