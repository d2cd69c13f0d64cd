import type { Finding } from '#episode';
import type { EpisodeParts } from './episode-parts.ts';
import type { LeRobotSet } from './lerobot-set.ts';
import type { ReadColumn } from './row-reader.ts';

/** What an episode's own rows show against what the set declares. */
export function rowFindings(set: LeRobotSet, parts: EpisodeParts): Finding[] {
  const { rows, path } = parts;
  const findings = rows.columns.flatMap((column) => columnFindings(column, path));
  const declared = parts.table_row === undefined ? -1 : set.episodes.length[parts.table_row];
  if (declared >= 0 && declared !== rows.segment.rows) {
    findings.push({
      code: 'length_mismatch',
      severity: 'error',
      path,
      message: `the table of episodes says ${declared} rows, the data file holds ${rows.segment.rows}`,
      advice: 'correct the length, or restore the missing rows',
      evidence: { declared, found: rows.segment.rows },
    });
  }
  const offset = rows.segment.frame_offset;
  if (offset !== null && (offset[0] !== 0 || offset[1] !== 0)) {
    findings.push({
      code: 'frame_index_broken',
      severity: 'warning',
      path,
      message: `frame_index does not count the rows from 0: it is off the row's place by ${offset[0]} to ${offset[1]}`,
      advice: 'look for rows that were dropped, repeated or swapped',
      evidence: { least_offset: offset[0], greatest_offset: offset[1] },
    });
  }
  return [...findings, ...taskFindings(set, parts)];
}

function taskFindings(set: LeRobotSet, parts: EpisodeParts): Finding[] {
  const range = parts.rows.segment.task_range;
  if (range === null || set.tasks === null) return [];
  const lost = [...new Set(range)].filter((task) => set.tasks !== null && !set.tasks.byIndex.has(task));
  if (lost.length === 0) return [];
  return [
    {
      code: 'task_index_unknown',
      severity: 'error',
      path: parts.path,
      message: `task_index ${lost.join(' and ')} has no row in ${set.tasks.source}`,
      advice: 'add the task to the table of tasks',
    },
  ];
}

function columnFindings(column: ReadColumn, path: string): Finding[] {
  const { plan, dims } = column;
  const key = plan.feature.key;
  const findings: Finding[] = [];
  const add = (code: string, message: string, advice: string) =>
    findings.push({ code, severity: 'error', path, message, advice });
  if (plan.feature.shape.length > 0 && plan.shape === 'list' && dims !== plan.dims) {
    add(
      'vector_length_wrong',
      `${key} has ${dims} numbers a row where [${plan.feature.shape.join(', ')}] is declared`,
      'correct the shape in meta/info.json: the library refuses the set',
    );
  }
  if (column.ragged_rows > 0)
    add(
      'vector_length_wrong',
      `${column.ragged_rows} rows of ${key} do not have ${dims} numbers; what is missing reads as NaN`,
      'repair the rows: the library refuses the set',
    );
  if (column.null_rows > 0)
    add(
      'rows_null',
      `${column.null_rows} rows of ${key} are null and read as NaN`,
      'fill or drop the rows: the library refuses null vectors',
    );
  if (column.null_values > 0)
    add(
      'values_null',
      `${column.null_values} numbers of ${key} are null and read as NaN`,
      'fill the numbers: the library fails when it reads such a row',
    );
  return findings;
}
