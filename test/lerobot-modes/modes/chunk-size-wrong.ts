import type { Mode } from '../mode.ts';

export const chunkSizeWrong: Mode = {
  id: 'chunk_size_wrong',
  row: 47,
  versions: ['v2.1'],
  at: 'set',
  codes: ['path_template_wrong'],
  least: 'blocking',
  plant: (set) => {
    set.info.chunks_size = 5;
    set.info.total_chunks = 2;
  },
};
