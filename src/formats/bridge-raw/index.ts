import type { FormatReader } from '../shared/reader.ts';

export const bridgeRawReader: FormatReader = {
  id: 'bridge-raw',
  title: 'BridgeData V2 raw',
  about:
    'Folders of BridgeData V2 as it is recorded: traj_group<i>/traj<j> with images0, images1, … and lang.txt, a trajectory an episode. Pictures come in the order of their numbers, missing numbers are reported, and times are computed from the 5 Hz of the set. States and actions lie in Python pickles (obs_dict.pkl, policy_out.pkl), which are never loaded, since loading one runs whatever is in it: they are not read and not judged. Recordings from before 2021-07-23, whose pictures come a step late, are reported.',
  scope: 'folder',
  recognise: async (tree) => (await import('./recognise.ts')).recogniseBridge(tree),
  open: async (tree, recognition) => (await import('./open.ts')).openBridge(tree, recognition),
};
