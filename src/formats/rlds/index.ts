import type { FormatReader } from '../shared/reader.ts';

export const rldsReader: FormatReader = {
  id: 'rlds',
  title: 'RLDS (TFDS TFRecord)',
  about:
    'Sets of episodes as TensorFlow Datasets writes them: dataset_info.json, features.json and TFRecord shards, plain or gzip, read without TensorFlow. Every record is an episode, and both of its checksums are verified; what is damaged costs itself alone. Tensors become streams, pictures stay in the shard. RLDS keeps neither times nor a rate: both, and which end of a gripper is open, are said only of data sets that are known by their name. Shards without features.json are read by what their records show. array_record and riegeli are refused.',
  scope: 'files',
  recognise: async (tree) => (await import('./recognise.ts')).recogniseRlds(tree),
  divide: async (recognition) => (await import('./recognise.ts')).divideRlds(recognition),
  open: async (tree, recognition) => (await import('./open.ts')).openRlds(tree, recognition),
};
