import type { EpisodeFault } from './fault.ts';

const texts = { small: 'task', medium: '   ', large: '' } as const;

export const emptyInstruction: EpisodeFault = {
  id: 'empty_instruction',
  title: 'No instruction',
  about: 'Nobody typed what was done: a placeholder, blanks, or nothing.',
  timeline: false,
  peers: 0,
  flags: ['instruction_missing', 'instruction_placeholder'],
  plants: 'episode',
  plant(episode, size) {
    if (episode.tasks === null) return null;
    const source = episode.tasks[0]?.source ?? 'tasks';
    return { episode: { ...episode, tasks: [{ text: texts[size], source }] }, marks: [] };
  },
};
