import { anywhere, type Mode } from '../mode.ts';

/** The same episode twice, pictures and all. */
export const duplicateExact: Mode = {
  id: 'duplicate_exact',
  row: 58,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['duplicate_episode'],
  least: 'blocking',
  pair: true,
  concerns: ({ episode, other }) => [Math.max(episode, other)],
  record: ({ episodes }, { episode, other }) => {
    episodes[episode] = structuredClone(episodes[other]);
  },
};
