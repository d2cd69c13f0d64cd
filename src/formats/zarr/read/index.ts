import type { FormatReader } from '../../shared/reader.ts';

export const zarrReader: FormatReader = {
  id: 'zarr',
  title: 'zarr replay buffer (diffusion_policy, UMI)',
  about:
    'Replay buffers of zarr 2 in a folder or a zip: arrays that share their rows, and meta/episode_ends. Chunks plain or packed by blosc (lz4, zlib, zstd), zlib, gzip, zstd or lz4 are read one at a time, also behind delta and shuffle filters; arrays packed otherwise, as with JPEG XL or JPEG 2000, are counted and not assessed. Chunks that are not there, which every reader takes for the fill value, are counted. Videos beside a real robot’s replay_buffer.zarr belong to its episodes. Times are those of the array timestamp; UMI runs at 59.94 Hz. Zarr 3 is refused; pickles are never loaded.',
  scope: 'files',
  recognise: async (tree) => (await import('./recognise.ts')).recogniseZarr(tree),
  divide: async (recognition) => (await import('./recognise.ts')).divideZarr(recognition),
  open: async (tree, recognition) => (await import('./open.ts')).openZarr(tree, recognition),
};
