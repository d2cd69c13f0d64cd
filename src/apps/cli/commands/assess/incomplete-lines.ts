import type { Incomplete } from '#core/api';
import { printableName } from '../../printable.ts';
import { count } from '../../words.ts';

/** What was not measured, why, and what to do; nothing where everything was. */
export function incompleteLines(all: readonly Incomplete[]): string[] {
  if (all.length === 0) return [];
  return [
    'assay: Not finished: not everything could be measured here, which says nothing of the recordings',
    ...all.flatMap(({ path, episode, episodes, reason, advice }) => {
      const where = [path, episode].filter((part) => part !== null && !reason.includes(part)).join(', ');
      const lost = episodes > 0 ? ` (${count(episodes, 'episode')} not measured)` : '';
      return [
        printableName(`       ${where === '' ? '' : `${where}: `}${reason}${lost}`),
        printableName(`       → ${advice}`),
      ];
    }),
    '       no receipts were sealed for the datasets concerned; run the same command again to finish',
  ];
}
