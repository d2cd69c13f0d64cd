import { type ExportFormat, timedKinds } from '../../shared/write/export-format.ts';

/** Export format: MCAP recordings with protobuf messages. */
export const mcapRecordings: ExportFormat = {
  id: 'mcap',
  title: 'MCAP recordings',
  carries:
    'every signal and camera at its own rate, events, flags and segments; opens in Foxglove, Lichtblick and Rerun',
  kinds: timedKinds,
  otherwise: 'its messages have times; still pictures have none',
  judgements: true,
  annotations: ['segments', 'captions', 'dense_text'],
  edits: ['drop'],
  writer: async () => (await import('./write-recordings.ts')).openMcap,
};
