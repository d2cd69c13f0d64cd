import { keepRows } from '../edit.ts';
import { anywhere, type Mode } from '../mode.ts';

export const tinyEpisode: Mode = {
  id: 'tiny_episode',
  row: 62,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['episode_too_short'],
  least: 'warning',
  record: ({ episodes }, { episode }) => keepRows(episodes[episode], (row) => row >= 40 && row < 45),
};
