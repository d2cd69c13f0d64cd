import { z } from 'zod';
import { idPattern } from '#core';
import { type EpisodeSort, episodeSorts } from '#core/api';
import type { EpisodePlace } from '#store';
import { badCursor } from '../page.ts';
import { readWord, wordOf } from './opaque-word.ts';

const shape = z.tuple([
  z.enum(episodeSorts),
  z.union([z.number(), z.string()]),
  z.string().regex(idPattern('ep')),
]);

/** Where a page ended. It says nothing that the page did not. */
export const cursorOf = (sort: EpisodeSort, { value, id }: EpisodePlace): string => wordOf([sort, value, id]);

/** What `cursorOf` made for the same order, or null where no cursor was sent. Throws `invalid_request`. */
export function placeOf(sort: EpisodeSort, cursor: string | undefined): EpisodePlace | null {
  if (cursor === undefined) return null;
  const parsed = shape.safeParse(readWord(cursor));
  if (!parsed.success) throw badCursor('not a cursor of this list');
  const [made_for, value, id] = parsed.data;
  if (made_for !== sort) throw badCursor(`the cursor goes with sort=${made_for}`);
  const numeric = /^-?(score|duration_s)$/.test(sort);
  if (numeric !== (typeof value === 'number')) throw badCursor('not a cursor of this list');
  return { value, id };
}
