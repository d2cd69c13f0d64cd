import { type ExportFormat, rowEdits, timedKinds } from '../shared/write/export-format.ts';

/** Export format: WebDataset shards. */
export const webDataset: ExportFormat = {
  id: 'webdataset',
  title: 'WebDataset shards',
  carries: 'samples in tar shards, read as a stream',
  kinds: [...timedKinds, 'vision-asset'],
  otherwise: '',
  judgements: true,
  annotations: ['segments', 'captions', 'dense_text'],
  edits: rowEdits,
  writer: async () => (await import('./write-shards.ts')).openWebDataset,
};
