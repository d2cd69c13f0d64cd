import type { FormatReader } from '../shared/reader.ts';

export const rldsReader: FormatReader = {
  id: 'rlds',
  title: 'RLDS (TFDS TFRecord)',
  about:
    'Datasets of episodes as written by TensorFlow Datasets: dataset_info.json, features.json and TFRecord shards, plain or gzip, read without TensorFlow. Each record is one episode, and both of its checksums are verified; a corrupt record does not affect the others. Tensors become streams; images stay in the shard. RLDS stores neither timestamps nor a rate: rate and gripper convention are known only for datasets recognised by name. Shards without features.json are read from the structure of their records. array_record and riegeli are not supported.',
  scope: 'files',
  recognise: async (tree) => (await import('./recognise.ts')).recogniseRlds(tree),
  divide: async (recognition) => (await import('./recognise.ts')).divideRlds(recognition),
  open: async (tree, recognition) => (await import('./open.ts')).openRlds(tree, recognition),
};
