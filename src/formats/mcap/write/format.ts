import { type ExportFormat, timedKinds } from '../../shared/write/export-format.ts';

/** Export format: MCAP recordings with protobuf messages. */
export const mcapRecordings: ExportFormat = {
  id: 'mcap',
  title: 'MCAP recordings',
  carries:
    'all signals and cameras at their own rates, with events, flags and segments; opens in Foxglove, Lichtblick and Rerun',
  kinds: timedKinds,
  otherwise: 'messages need timestamps, which still images do not have',
  judgements: true,
  annotations: ['segments', 'captions', 'dense_text'],
  edits: ['drop'],
  writer: async () => (await import('./write-recordings.ts')).openMcap,
};
