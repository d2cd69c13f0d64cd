import { countPhrase, type JsonObject } from '#core';
import type { Finding } from '#core/episode';
import type { LeRobotSet } from '../../metadata/lerobot-set.ts';
import { createLeRobotViolation, type LeRobotRuleId } from '../../rules/contract.ts';
import type { EpisodeParts } from '../episodes/episode-parts.ts';
import type { ReadColumn } from '../episodes/row-reader.ts';
import { checkEpisodeStats } from '../stats/compare-stats.ts';
import { checkStampsAgainstGrid } from './stamp-findings.ts';

/**
 * Returns findings on an episode's rows: vector lengths, nulls, length, numbering, timestamps, tasks and stored
 * statistics that contradict the declarations; empty if all agree.
 */
export function checkRows(set: LeRobotSet, parts: EpisodeParts): Finding[] {
  return [
    ...parts.rows.columns.flatMap((column) => checkColumn(set, column, parts.path)),
    ...checkCounts(set, parts),
    ...checkStamps(set, parts),
    ...checkTasks(set, parts),
    ...checkEpisodeStats(set, parts),
  ];
}

/** Checks length, frame_index, index and episode_index. */
function checkCounts(set: LeRobotSet, { rows, path, table_row }: EpisodeParts): Finding[] {
  const { numbering } = rows;
  const findings: Finding[] = [];
  const violation = (id: LeRobotRuleId, message: string, evidence?: JsonObject) =>
    findings.push(createLeRobotViolation(set.layout, id, path, message, evidence));
  const declared = table_row === undefined ? -1 : set.episodes.length[table_row];
  const miscounted = numbering.frame_offset !== null && !isZero(numbering.frame_offset);
  if (declared >= 0 && declared !== numbering.rows) {
    const evidence = { declared, found: numbering.rows };
    violation(
      'length_mismatch',
      `the episode table lists ${declared} rows, but the data file has ${numbering.rows}`,
      evidence,
    );
    if (set.layout === 'v3' && (!numbering.contiguous || (numbering.rows > declared && miscounted)))
      violation(
        'rows_of_another_episode',
        numbering.rows > declared
          ? countPhrase(numbering.rows - declared, 'extra rows have the episode_index of this episode')
          : countPhrase(
              declared - numbering.rows,
              'rows in the middle of the episode have another episode_index',
            ),
        evidence,
      );
  }
  const numbered = numbering.episode_range;
  if (numbered !== null && (numbered[0] !== numbering.episode || numbered[1] !== numbering.episode))
    violation(
      'rows_of_another_episode',
      `the rows of episode ${numbering.episode} have episode_index ${numbered[0] === numbered[1] ? numbered[0] : numbered.join(' to ')}`,
    );
  if (numbering.frame_offset !== null && miscounted) {
    const [least_offset, greatest_offset] = numbering.frame_offset;
    violation(
      'frame_index_broken',
      `frame_index does not number the rows from 0: it differs from the row number by ${least_offset} to ${greatest_offset}`,
      { least_offset, greatest_offset },
    );
  }
  const index = numbering.index_range;
  const first = table_row === undefined ? null : firstIndex(set, table_row);
  if (index !== null && index[0] !== index[1])
    violation('index_broken', `index has gaps: it differs from the row number by ${index[0]} to ${index[1]}`);
  else if (index !== null && first !== null && index[0] !== first)
    violation('index_broken', `index starts at ${index[0]}, but ${first} rows come before the episode`);
  return findings;
}

/** Returns the number of rows before the episode; null if the listed lengths are inconsistent. */
function firstIndex({ episodes, info }: LeRobotSet, row: number): number | null {
  const last = episodes.count - 1;
  const total = episodes.rowsBefore(last) + Math.max(0, episodes.length[last]);
  return episodes.index[row] === row && total === info.total_frames ? episodes.rowsBefore(row) : null;
}

const isZero = ([least, greatest]: readonly [number, number]): boolean => least === 0 && greatest === 0;

function checkStamps(set: LeRobotSet, { rows, path }: EpisodeParts): Finding[] {
  const { fps } = set.info;
  if (rows.timestamps === null || fps === null) return [];
  return checkStampsAgainstGrid(rows.timestamps, fps, set.layout, set.cameras.length > 0, path);
}

/** Checks task_index and task texts. */
function checkTasks(set: LeRobotSet, parts: EpisodeParts): Finding[] {
  const range = parts.rows.numbering.task_range;
  const { tasks } = set;
  if (tasks === null) return [];
  const violation = (id: LeRobotRuleId, message: string) =>
    createLeRobotViolation(set.layout, id, parts.path, message);
  const used = range === null ? [] : [...new Set(range)];
  const lost = used.filter((task) => !tasks.byIndex.has(task));
  if (lost.length > 0)
    return [
      violation('task_index_unknown', `task_index ${lost.join(' and ')} is not listed in ${tasks.source}`),
    ];
  const listed = parts.table_row === undefined ? null : set.episodes.tasks(parts.table_row);
  if (listed === null || listed.length === 0) return [];
  const unlisted = listed.filter((text) => !tasks.texts.has(text));
  if (unlisted.length > 0)
    return [
      violation(
        'task_text_unlisted',
        `the episode table lists the task “${unlisted[0]}”, which is missing in ${tasks.source}`,
      ),
    ];
  const other = used.map((task) => tasks.byIndex.get(task) ?? '').find((text) => !listed.includes(text));
  if (other === undefined) return [];
  return [
    violation(
      'task_text_contradicts',
      `the episode table lists the task “${listed.join('”, “')}”, but task_index of the rows means “${other}”`,
    ),
  ];
}

/** Checks vector lengths and nulls of a column. */
function checkColumn({ layout }: LeRobotSet, column: ReadColumn, path: string): Finding[] {
  const { plan, dims } = column;
  const key = plan.feature.key;
  const findings: Finding[] = [];
  const add = (id: LeRobotRuleId, message: string) =>
    findings.push(createLeRobotViolation(layout, id, path, message));
  if (plan.feature.shape.length > 0 && plan.shape === 'list' && dims !== plan.dims) {
    add(
      'vector_length_wrong',
      `${key} has ${dims} values per row, but its declared shape is [${plan.feature.shape.join(', ')}]`,
    );
  }
  if (column.ragged_rows > 0)
    add(
      'vector_length_wrong',
      `${countPhrase(column.ragged_rows, `rows of ${key} do not have exactly ${dims} values`)}; missing values are read as NaN`,
    );
  if (column.null_rows > 0)
    add('rows_null', `${countPhrase(column.null_rows, `rows of ${key} are null`)}; read as NaN`);
  if (column.null_values > 0)
    add('values_null', `${countPhrase(column.null_values, `values of ${key} are null`)}; read as NaN`);
  return findings;
}
