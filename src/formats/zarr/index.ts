import type { FormatReader } from '../shared/reader.ts';

export const zarrReader: FormatReader = {
  id: 'zarr',
  title: 'zarr replay buffer (diffusion_policy, UMI)',
  about:
    'Replay buffers in zarr 2, in a folder or a zip: arrays with a shared first dimension, and meta/episode_ends. Chunks that are uncompressed or use blosc (lz4, zlib, zstd), zlib, gzip, zstd or lz4 are read one at a time, also with delta and shuffle filters; arrays with other codecs, such as JPEG XL or JPEG 2000, are counted but not evaluated. Missing chunks, which every reader replaces by the fill value, are counted. Videos next to a real-robot replay_buffer.zarr belong to its episodes. Times come from the array timestamp; UMI runs at 59.94 Hz. Zarr 3 is not supported; pickles are never loaded.',
  scope: 'files',
  recognise: async (tree) => (await import('./recognise.ts')).recogniseZarr(tree),
  divide: async (recognition) => (await import('./recognise.ts')).divideZarr(recognition),
  open: async (tree, recognition) => (await import('./open.ts')).openZarr(tree, recognition),
};
