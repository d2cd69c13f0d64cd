import type { EditedFeature } from '../../../shared/write/edits/export-edit.ts';
import { everyRow } from '../kept-episode.ts';
import { named } from '../sql.ts';

/** LeRobot's words that hold from a time of the episode on until others of their style do. */
export const isPersistent = (name: string, type: string): boolean =>
  name === 'language_persistent' && type.includes('timestamp') && type.endsWith('[]');

/** Stamps are float32: how far off its row, in rows, one may lie that is of the row. */
const near_rows = 0.01;

/**
 * The words that the source has. In an episode that is not whole, times count from its first row: of each style what held
 * last before holds from 0, and what came after its last row goes.
 */
export function persistentWords({ source }: EditedFeature, type: string, rate_hz: number): string {
  const column = `d.${named(source)}`;
  const rowOf = (word: string) => `(${word}."timestamp" * ${rate_hz}::DOUBLE - k.first)`;
  const same = ['style', 'role', 'camera'].filter((name) => type.includes(name));
  const alike = same.map((name) => `y.${named(name)} IS NOT DISTINCT FROM x.${named(name)}`);
  const later = [...alike, `${rowOf('y')} <= ${near_rows}`, 'y."timestamp" > x."timestamp"'].join(' AND ');
  const said = `list_filter(${column}, lambda x : ${rowOf('x')} < k.rows - ${near_rows}
    AND len(list_filter(${column}, lambda y : ${later})) = 0)`;
  const row = rowOf('x');
  const snapped = `CASE WHEN abs(${row} - round(${row})) < ${near_rows} THEN round(${row}) ELSE ${row} END`;
  const stamp = `greatest(${snapped}, 0) / ${rate_hz}::DOUBLE`;
  const moved = `list_transform(${said}, lambda x : struct_update(x, "timestamp" := ${stamp}))`;
  return `CASE WHEN k.rows = ${everyRow} THEN ${column} ELSE CAST(${moved} AS ${type}) END`;
}
