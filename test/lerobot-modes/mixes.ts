import { seededRandom } from '#core';
import type { Mode } from './mode.ts';
import { modes } from './modes/index.ts';
import type { Version } from './written-set.ts';

/**
 * Modes of single episodes dealt out by threes, so that each is planted beside two others. Modes of the whole set are
 * left out: they hide others (an unreadable table) or change every episode.
 */
export function mixes(
  version: Version,
  seed: number,
): { readonly id: string; readonly modes: readonly Mode[] }[] {
  const random = seededRandom(seed * 41 + (version === 'v2.1' ? 1 : 2));
  const left = modes.filter(
    ({ at, versions, id }) => at !== 'set' && versions.includes(version) && !alone.has(id),
  );
  const dealt: Mode[][] = [];
  while (left.length > 0) {
    dealt.push(
      Array.from(
        { length: Math.min(3, left.length) },
        () => left.splice(random.integer(0, left.length - 1), 1)[0],
      ),
    );
  }
  return dealt.map((some, k) => ({ id: `mixed-${k + 1}`, modes: some }));
}

/** Modes of one episode that also affect others: all of its file, or all later ones. */
const alone = new Set([
  'data_without_footer',
  'video_missing',
  'video_truncated',
  'video_lfs_pointer',
  'video_other_rate',
  'video_other_size',
  'index_restarts',
  'v3_video_lost_in_file',
  'v3_episode_row_missing',
  'column_in_one_episode',
  'episode_deleted_by_hand',
]);
