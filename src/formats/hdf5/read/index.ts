import type { FormatReader } from '../../shared/reader.ts';

export const hdf5Reader: FormatReader = {
  id: 'hdf5',
  title: 'HDF5 demonstrations',
  about:
    'HDF5 files of three layouts, told by what is in them: robomimic, LIBERO and Isaac Lab (demonstrations data/demo_<number>, masks as splits, success where it is said), ALOHA and ACT (one file an episode, /action beside /observations, pictures as pixels or JPEG), D4RL (flat arrays of transitions, cut at terminals and timeouts). They keep no times: a clock is computed where a rate is declared or fixed by the recorder, and is absent otherwise. The file format is read over byte ranges without a native library; links and data in other files are never followed, and filters other than gzip, shuffle, fletcher32 and LZF are named. Other layouts are reported with what they hold. Each folder is a dataset of its own.',
  scope: 'files',
  recognise: async (tree, misnamed) => (await import('./recognise.ts')).recogniseHdf5(tree, misnamed),
  matchesHead: async (head) => (await import('./recognise.ts')).startsAsHdf5(head),
  divide: async (recognition) => (await import('./recognise.ts')).divideHdf5(recognition),
  open: async (tree, recognition) => (await import('./open.ts')).openHdf5Set(tree, recognition),
};
