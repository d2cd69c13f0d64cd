import type { FormatReader } from '../shared/reader.ts';

/** Reader of AgiBot World folders. */
export const agibotReader: FormatReader = {
  id: 'agibot',
  title: 'AgiBot World',
  about:
    'The unpacked AgiBot World folder: task_info, observations, parameters and proprio_stats. Each pair of task and episode is one episode. Arrays in proprio_stats.h5 become streams timed by /timestamp; empty arrays are skipped. Commands with fewer rows than the state are kept as they are, each at the frame given in action/…/index, and never padded. Gripper state is the opening in mm; the gripper action is 0 (open) to 1 (closed). Sub-steps become events; task name and initial scene become the task text. Tasks with known damage and archives that are not unpacked are reported.',
  scope: 'folder',
  recognise: async (tree) => (await import('./recognise.ts')).recogniseAgibot(tree),
  open: async (tree, recognition) => (await import('./open.ts')).openAgibot(tree, recognition),
};
