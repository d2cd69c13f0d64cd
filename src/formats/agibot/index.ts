import type { FormatReader } from '../shared/reader.ts';

export const agibotReader: FormatReader = {
  id: 'agibot',
  title: 'AgiBot World',
  about:
    'The folder of AgiBot World, unpacked: task_info, observations, parameters and proprio_stats; a pair of task and episode is an episode. Arrays of proprio_stats.h5 become streams at the times of /timestamp; empty ones are absent. Commands that have fewer rows than the state are left as they are, each at the time of the frame that action/…/index names, and never filled up. Grippers are millimetres of opening in the state and 0 open to 1 closed in the action, told apart. Sub-steps of the task become events, task name and scene its text. Tasks that are known to be damaged are named. Archives that are not unpacked are reported.',
  scope: 'folder',
  recognise: async (tree) => (await import('./recognise.ts')).recogniseAgibot(tree),
  open: async (tree, recognition) => (await import('./open.ts')).openAgibot(tree, recognition),
};
