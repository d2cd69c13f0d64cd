import type { EpisodeFault } from './fault.ts';

export const wrongInstruction: EpisodeFault = {
  id: 'wrong_instruction',
  title: 'Wrong instruction',
  about:
    'The operator forgot to change the text: the episode has the instruction of another task of the dataset.',
  timeline: false,
  peers: 8,
  flags: ['instruction_mismatch'],
  plants: 'episode',
  plant(episode, _size, random, peers) {
    const own = episode.tasks?.[0];
    if (own === undefined) return null;
    const others = new Set(peers.flatMap((peer) => peer.tasks?.map((task) => task.text) ?? []));
    others.delete(own.text);
    if (others.size === 0) return null;
    const text = random.pick([...others].sort());
    return { episode: { ...episode, tasks: [{ text, source: own.source }] }, marks: [] };
  },
};
