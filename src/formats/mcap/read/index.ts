import type { FormatReader } from '../../shared/reader.ts';

/** Reader for MCAP files. */
export const mcapReader: FormatReader = {
  id: 'mcap',
  title: 'MCAP',
  about:
    'MCAP files, alone or in ROS 2 bag folders, whole or truncated, with or without chunks, index and summary, plain, lz4 or zstd. Every file is read once from start to end. Messages in ros1, cdr, json and protobuf are decoded as far as they hold signals: numbers become streams, pictures are sampled, everything else is counted and timed. A bag that metadata.yaml describes is one episode, its files joined in order; any other file is an episode. Each folder is a dataset of its own.',
  scope: 'files',
  recognise: async (tree, misnamed) => (await import('./recognise.ts')).recogniseMcap(tree, misnamed),
  matchesHead: async (head) => (await import('./recognise.ts')).startsAsMcap(head),
  divide: async (recognition) => (await import('./recognise.ts')).divideMcap(recognition),
  open: async (tree, recognition) => (await import('./open.ts')).openMcap(tree, recognition),
};
