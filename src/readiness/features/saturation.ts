import type { Series } from '#episode';
import { samplesOf } from './columns.ts';

/** Share of rows at which a dimension sits exactly on a limit while another dimension moves, and where. */
export interface Saturation {
  readonly share: number;
  readonly from: number;
  readonly to: number;
}

/** A resting robot rests on its limits too, so rows in which nothing else moves do not count. */
export function saturation(series: Series, d: number, limit: number): Saturation {
  const { values, dims } = series;
  const samples = samplesOf(series);
  let rows = 0;
  let start = -1;
  let from = 0;
  let to = 0;
  for (let i = 1; i < samples; i++) {
    if (values[i * dims + d] !== limit) {
      start = -1;
      continue;
    }
    if (start < 0) start = i;
    if (i - start > to - from) {
      from = start;
      to = i;
    }
    if (othersMove(values, dims, d, i)) rows++;
  }
  return { share: samples > 0 ? rows / samples : 0, from, to };
}

function othersMove(values: Series['values'], dims: number, d: number, row: number): boolean {
  const at = row * dims;
  for (let other = 0; other < dims; other++) {
    if (other !== d && values[at + other] !== values[at + other - dims]) return true;
  }
  return false;
}
