import type { FormatReader } from '../../shared/reader.ts';

export const epicKitchensReader: FormatReader = {
  id: 'epic-kitchens',
  title: 'EPIC-KITCHENS narrations',
  about:
    'Videos with the CSV lists of actions of EPIC-KITCHENS (in the folder, or in one called annotations), found by video_id; a video is an episode. A narration is an event at its start, and its interval with classes of verb and noun a row of the stream narrations; lists without labels give intervals alone. Times are taken and never frame numbers, which count 60 a second where the video has 59.94. Lists as pickles are not read.',
  scope: 'folder',
  recognise: async (tree) => (await import('./recognise.ts')).recogniseEpic(tree),
  open: async (tree, recognition) => (await import('./open.ts')).openEpic(tree, recognition),
};
