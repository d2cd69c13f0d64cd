import type { EpisodeFault } from './fault.ts';

const texts = { small: 'task', medium: '   ', large: '' } as const;

export const emptyInstruction: EpisodeFault = {
  id: 'empty_instruction',
  title: 'Missing instruction',
  about: 'The operator entered no task: a placeholder, only spaces, or an empty text.',
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
