import { anywhere, type Mode } from '../mode.ts';

export const taskTextContradicts: Mode = {
  id: 'task_text_contradicts',
  row: 40,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['task_text_contradicts'],
  least: 'error',
  plant: (set, { episode }) => {
    const own = set.recording.episodes[episode].task;
    set.episodes[episode].tasks = [set.tasks.find(({ task }) => task !== own)!.task];
  },
};
