import type { SetVerdict } from '#core/api';

/** The verdict on a dataset of that many episodes with nothing against it. */
export const usable = (usable_episodes: number): SetVerdict => ({
  verdict: 'usable',
  usable_episodes,
  reasons: [],
});

/** The verdict on a dataset of which some episodes are rejected for one code. */
export const partlyUsable = (usable_episodes: number, code: string, rejected: number): SetVerdict => ({
  verdict: 'usable_after_fix',
  usable_episodes,
  reasons: [{ code, effect: 'rejected', episodes: rejected, remedy: 'export' }],
});
