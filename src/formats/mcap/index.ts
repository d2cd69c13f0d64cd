import type { FormatReader } from '../shared/reader.ts';

/** Reader for MCAP files. */
export const mcapReader: FormatReader = {
  id: 'mcap',
  title: 'MCAP',
  about:
    'MCAP files, alone or in ROS 2 bag folders; complete or truncated; with or without chunks, index and summary; uncompressed, lz4 or zstd. Every file is read once from start to end. Messages in ros1, cdr, json and protobuf are decoded if they contain signals: numbers become streams, images are sampled, and other messages are counted and timed. A bag described by metadata.yaml is one episode, its files joined in order; any other file is one episode. Each folder is a separate dataset.',
  scope: 'files',
  recognise: async (tree, misnamed) => (await import('./recognise.ts')).recogniseMcap(tree, misnamed),
  matchesHead: async (head) => (await import('./recognise.ts')).startsAsMcap(head),
  divide: async (recognition) => (await import('./recognise.ts')).divideMcap(recognition),
  open: async (tree, recognition) => (await import('./open.ts')).openMcap(tree, recognition),
};
