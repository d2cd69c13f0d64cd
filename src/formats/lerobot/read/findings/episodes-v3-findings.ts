import { enumerate } from '#core';
import type { Notes } from '../../metadata/notes.ts';
import { lerobotBreach } from '../../rules/contract.ts';
import { type EpisodeColumns, numericColumns, videoColumns } from '../episodes/episode-columns.ts';

/** Columns of rows that the table does not have. */
export function reportMissingColumns(present: ReadonlySet<string>, notes: Notes): void {
  const needed = [...numericColumns, 'tasks'];
  const missing = needed.filter((column) => !present.has(column));
  if (missing.length === 0) return;
  notes.put(
    lerobotBreach(
      'v3',
      'episodes_columns_missing',
      'meta/episodes',
      `the table of episodes lacks the columns ${enumerate(missing)}`,
    ),
  );
}

/** The library asks for all of them but to_timestamp, for every camera, at opening or at rows. */
export function reportVideoColumns(
  { index, videos }: EpisodeColumns,
  present: ReadonlySet<string>,
  cameras: readonly string[],
  notes: Notes,
): void {
  for (const camera of cameras) {
    const names = videoColumns.map((column) => `videos/${camera}/${column}`);
    const missing = names.filter((name) => !present.has(name));
    const columns = videos.get(camera) ?? [];
    const empty: number[] = [];
    for (let row = 0; row < index.length && missing.length === 0; row++)
      if (columns.some((column) => Number.isNaN(column[row]))) empty.push(index[row]);
    if (missing.length === 0 && empty.length === 0) continue;
    const what =
      missing.length > 0
        ? `lacks the columns ${enumerate(missing)}`
        : `does not say where ${camera} lies in ${empty.length} of ${index.length} episodes: ${enumerate(empty)}`;
    notes.put(
      lerobotBreach(
        'v3',
        'video_columns_missing',
        'meta/episodes',
        `the table of episodes ${what}: the library cannot open the set`,
        { camera, columns: missing, episodes: empty.slice(0, 200) },
      ),
    );
  }
}

/** The library takes row i for episode i. */
export function reportOrder(index: Int32Array, notes: Notes): void {
  let moved = 0;
  let first = -1;
  for (let row = 0; row < index.length; row++) {
    if (index[row] === row) continue;
    if (first < 0) first = row;
    moved += 1;
  }
  if (moved === 0) return;
  notes.put(
    lerobotBreach(
      'v3',
      'episodes_out_of_order',
      'meta/episodes',
      `${moved} of ${index.length} rows of the table of episodes are not at the place of their episode_index: row ${first} holds episode ${index[first]}; the library looks episodes up by row and would read the wrong rows`,
      { rows: moved, first_row: first, first_episode: index[first] },
    ),
  );
}
