import type { FormatReader } from '../shared/reader.ts';

/** Reader of videos with EPIC-KITCHENS narrations. */
export const epicKitchensReader: FormatReader = {
  id: 'epic-kitchens',
  title: 'EPIC-KITCHENS narrations',
  about:
    'Videos with the EPIC-KITCHENS action lists in CSV (in the folder, or in a subfolder named annotations), matched by video_id. Each video is one episode. A narration becomes an event at its start; its interval with verb and noun classes is a row of the stream narrations. Lists without labels give intervals only. Timestamps are used instead of frame numbers, which assume 60 fps although the videos have 59.94 fps. Lists stored as pickles are not read.',
  scope: 'folder',
  recognise: async (tree) => (await import('./recognise-epic-kitchens.ts')).recogniseEpic(tree),
  open: async (tree, recognition) => (await import('./open-epic-kitchens.ts')).openEpic(tree, recognition),
};
