import type { FormatReader } from '../../shared/reader.ts';

export const ego4dReader: FormatReader = {
  id: 'ego4d',
  title: 'Ego4D narrations',
  about:
    'Videos with the narrations of Ego4D (narration.json, all_narrations_redacted.json; ego4d.json where it is there), found by video_uid; a video is an episode. A narration is an event at its moment, of both passes; #C, #O and #unsure stay in its text. JSON is read video by video, whatever its size, and only what belongs to videos that are there. Summaries and the other benchmarks are not read.',
  scope: 'folder',
  recognise: async (tree) => (await import('./recognise.ts')).recogniseEgo4d(tree),
  open: async (tree, recognition) => (await import('./open.ts')).openEgo4d(tree, recognition),
};
