import { type ExportFormat, rowEdits } from '../../shared/write/export-format.ts';

export const zarrReplayBuffer: ExportFormat = {
  id: 'zarr-replay-buffer',
  title: 'zarr replay buffer',
  carries: 'one array a signal over all episodes, with the ends of the episodes',
  kinds: ['teleop', 'egocentric', 'state-only'],
  otherwise:
    'its arrays share one rate and one length; these recordings have sensors of many rates, or no time',
  edits: rowEdits,
  writer: async () => (await import('./write-buffer.ts')).openReplayBuffer,
};
