import { AssayError } from '#core';
import type { EditableEpisode, ExportEdit, Piece } from './export-edit.ts';

/** A step of more than this many periods is a hole. */
const hole_periods = 1.5;

/** Edit `--cut holes`: splits episodes at holes in their timestamps. */
export const cut: ExportEdit = {
  id: 'cut',
  takes: 'holes',
  about: `splits episodes where timestamps are more than ${hole_periods} frame periods apart; parts with a single row are dropped`,
  read: (texts) => {
    if (texts.some((text) => text !== 'holes'))
      throw new AssayError('usage', `--cut requires holes, got ${texts.join(' ')}`, {});
    return { lineage: { edit: 'cut', at: 'holes', hole_periods }, rows: splitAtHoles };
  },
};

function splitAtHoles({ first, until }: Piece, { times, rate_hz }: EditableEpisode): Piece[] {
  if (times === null) return [{ first, until }];
  const pieces: Piece[] = [];
  let from = first;
  for (let row = first + 1; row <= until; row++) {
    if (row < until && !((times[row] - times[row - 1]) * rate_hz > hole_periods)) continue;
    if (row - from > 1) pieces.push({ first: from, until: row });
    from = row;
  }
  return pieces;
}
