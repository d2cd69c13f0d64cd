import { type FlatColumn, fetchChunks } from '../../../shared/parquet/chunks.ts';
import type { FilePlan } from './column-plan.ts';
import type { EpisodeNumbering } from './row-reader.ts';

/**
 * Counts and locates the rows of each episode or file (`by`) in a query source, with the ranges of its numbering
 * columns, ordered by first row or file. The ranges are computed by the engine, so that the columns need not be read.
 */
export async function readNumberings(
  plan: FilePlan,
  source: string,
  by: 'episode_index' | 'file_index',
  where: string,
): Promise<EpisodeNumbering[]> {
  const task = plan.has.has('task_index') ? 'TRY_CAST(task_index AS INTEGER)' : 'NULL::INTEGER';
  // As doubles, so that unexpected values do not end the query by an overflow.
  const frame = plan.has.has('frame_index') ? 'TRY_CAST(frame_index AS BIGINT)::DOUBLE' : 'NULL::DOUBLE';
  const index = plan.has.has('index') ? 'TRY_CAST("index" AS BIGINT)::DOUBLE' : 'NULL::DOUBLE';
  const episode =
    by === 'file_index' && plan.has.has('episode_index')
      ? 'TRY_CAST(episode_index AS INTEGER)'
      : 'NULL::INTEGER';
  const sql = `SELECT ${by}::INTEGER, count(*)::INTEGER, min(file_row_number)::INTEGER AS low, max(file_row_number)::INTEGER,
      min(${task}), max(${task}), min(${frame} - file_row_number), max(${frame} - file_row_number),
      min(${index} - file_row_number), max(${index} - file_row_number), min(${episode}), max(${episode})
    FROM ${source} ${where} GROUP BY ${by} ORDER BY ${by === 'file_index' ? by : 'low'}`;
  const numberings: EpisodeNumbering[] = [];
  for await (const chunk of fetchChunks(sql)) {
    const [group, count, low, high] = [0, 1, 2, 3].map((at) => chunk.integers(at));
    const [leastTask, mostTask] = [4, 5].map((at) => chunk.integers(at));
    const [leastFrame, mostFrame, leastIndex, mostIndex] = [6, 7, 8, 9].map((at) => chunk.numbers(at));
    const [leastEpisode, mostEpisode] = [10, 11].map((at) => chunk.integers(at));
    for (let row = 0; row < chunk.rows; row++) {
      const first_row = low.values[row];
      const rows = count.values[row];
      const whole = high.values[row] - first_row + 1 === rows;
      numberings.push({
        episode: group.values[row],
        rows,
        first_row,
        contiguous: whole,
        task_range: rangePair(leastTask, mostTask, row, 0),
        frame_offset: whole ? rangePair(leastFrame, mostFrame, row, first_row) : null,
        index_range: whole ? rangePair(leastIndex, mostIndex, row, first_row) : null,
        episode_range: rangePair(leastEpisode, mostEpisode, row, 0),
      });
    }
  }
  return numberings;
}

/** Returns minimum and maximum of a row, shifted; null if there are none. */
function rangePair(
  low: FlatColumn<ArrayLike<number>>,
  high: FlatColumn<ArrayLike<number>>,
  row: number,
  shift: number,
): readonly [number, number] | null {
  if (low.nulls !== null && low.nulls[row] === 1) return null;
  return [low.values[row] + shift, high.values[row] + shift];
}
