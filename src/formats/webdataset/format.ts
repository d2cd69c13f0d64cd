import { type ExportFormat, editsOfRows, inTime } from '../shared/write/export-format.ts';

export const webDataset: ExportFormat = {
  id: 'webdataset',
  title: 'WebDataset shards',
  carries: 'samples of any files in tar shards, read as a stream',
  kinds: [...inTime, 'vision-asset'],
  otherwise: '',
  judgements: true,
  annotations: ['segments', 'captions', 'dense_text'],
  edits: editsOfRows,
  writer: async () => (await import('./write-shards.ts')).openWebDataset,
};
