import type { FormatReader } from '../shared/reader.ts';

/** Reader of videos with Ego4D narrations. */
export const ego4dReader: FormatReader = {
  id: 'ego4d',
  title: 'Ego4D narrations',
  about:
    'Videos with Ego4D narrations (narration.json, all_narrations_redacted.json, and ego4d.json if present), matched by video_uid. Each video is one episode. Narrations of both passes become events at their timestamps; #C, #O and #unsure stay in the text. JSON files are streamed, and only entries of videos in the folder are kept. Summaries and other benchmarks are not read.',
  scope: 'folder',
  recognise: async (tree) => (await import('./recognise-ego4d.ts')).recogniseEgo4d(tree),
  open: async (tree, recognition) => (await import('./open-ego4d.ts')).openEgo4d(tree, recognition),
};
