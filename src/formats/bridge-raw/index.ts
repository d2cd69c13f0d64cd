import type { FormatReader } from '../shared/reader.ts';

/** Reader of raw BridgeData V2 folders. */
export const bridgeRawReader: FormatReader = {
  id: 'bridge-raw',
  title: 'BridgeData V2 raw',
  about:
    'BridgeData V2 folders as recorded: traj_group<i>/traj<j> with images0, images1, … and lang.txt. Each trajectory is one episode. Images are ordered by their numbers, missing numbers are reported, and times are computed from the 5 Hz rate of the dataset. States and actions are in Python pickles (obs_dict.pkl, policy_out.pkl), which are never loaded because loading a pickle executes code, so they are not evaluated. Recordings from before 2021-07-23, whose images are one step late, are reported.',
  scope: 'folder',
  recognise: async (tree) => (await import('./recognise.ts')).recogniseBridge(tree),
  open: async (tree, recognition) => (await import('./open.ts')).openBridge(tree, recognition),
};
