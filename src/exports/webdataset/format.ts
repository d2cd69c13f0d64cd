import { type ExportFormat, inTime } from '../export-format.ts';

export const webDataset: ExportFormat = {
  id: 'webdataset',
  title: 'WebDataset shards',
  carries: 'samples of any files in tar shards, read as a stream',
  kinds: [...inTime, 'vision-asset'],
  otherwise: '',
  writer: async () => (await import('./write-shards.ts')).openWebDataset,
};
