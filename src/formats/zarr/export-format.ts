import { type ExportFormat, rowEdits } from '../shared/write/export-format.ts';

export const zarrReplayBuffer: ExportFormat = {
  id: 'zarr-replay-buffer',
  title: 'zarr replay buffer',
  carries: 'one array per signal over all episodes, with episode ends',
  kinds: ['teleop', 'egocentric', 'state-only'],
  otherwise:
    'all arrays share one rate and one length; these recordings have sensors of different rates, or no timestamps',
  edits: rowEdits,
  writer: async () => (await import('./write-buffer.ts')).openReplayBuffer,
};
