import type { FormatReader } from '../shared/reader.ts';

/** Reader of HDF5 demonstrations in the layouts of robomimic, ALOHA and D4RL. */
export const hdf5Reader: FormatReader = {
  id: 'hdf5',
  title: 'HDF5 demonstrations',
  about:
    'HDF5 files in three layouts, detected by content: robomimic, LIBERO and Isaac Lab (demonstrations data/demo_<number>, masks as splits, success if declared); ALOHA and ACT (one file per episode, /action next to /observations, images as pixels or JPEG); D4RL (flat arrays of transitions, split at terminals and timeouts). These layouts store no timestamps: a clock is computed if the rate is declared or fixed by the recorder, otherwise there is none. Files are read by byte ranges without a native library. Links and data in other files are never followed; filters other than gzip, shuffle, fletcher32 and LZF are reported. Files in other layouts are reported with their contents. Each folder is a separate dataset.',
  scope: 'files',
  recognise: async (tree, misnamed) => (await import('./recognise.ts')).recogniseHdf5(tree, misnamed),
  matchesHead: async (head) => (await import('./recognise.ts')).startsAsHdf5(head),
  divide: async (recognition) => (await import('./recognise.ts')).divideHdf5(recognition),
  open: async (tree, recognition) => (await import('./open.ts')).openHdf5Set(tree, recognition),
};
