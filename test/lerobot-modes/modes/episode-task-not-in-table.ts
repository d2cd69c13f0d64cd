import { anywhere, type Mode } from '../mode.ts';

export const episodeTaskNotInTable: Mode = {
  id: 'episode_task_not_in_table',
  row: 40,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['task_text_unlisted'],
  least: 'error',
  plant: (set, { episode }) => {
    set.episodes[episode].tasks = [`${set.recording.episodes[episode].task}, slowly`];
  },
};
