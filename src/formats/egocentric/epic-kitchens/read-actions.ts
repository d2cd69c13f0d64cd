import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { parseCsv } from '../../shared/text/csv.ts';

/** One narrated action. */
export interface Action {
  readonly start_s: number;
  readonly stop_s: number;
  /** Empty in lists without labels. */
  readonly narration: string;
  /** NaN in lists without labels. */
  readonly verb_class: number;
  readonly noun_class: number;
  /** NaN where it is not given. */
  readonly start_frame: number;
  /** The list it stands in. */
  readonly source: string;
}

const mostBytes = 256 * 1024 * 1024;

/** `HH:MM:SS.sss` in seconds; NaN for anything else. */
function secondsOf(text: string): number {
  const found = /^(\d{1,3}):([0-5]?\d):([0-5]?\d(?:\.\d+)?)$/.exec(text.trim());
  return found === null ? Number.NaN : Number(found[1]) * 3600 + Number(found[2]) * 60 + Number(found[3]);
}

/** Adds the actions of a list to those of their videos. Rows that cannot be used are counted. */
export async function readActions(
  tree: SourceTree,
  path: string,
  byVideo: Map<string, Action[]>,
): Promise<Finding[]> {
  const [header = [], ...rows] = parseCsv(await tree.text(path, mostBytes));
  const column = new Map(header.map((name, i) => [name.trim(), i]));
  const broken: string[] = [];
  const reversed: string[] = [];
  for (const [i, row] of rows.entries()) {
    const cell = (name: string): string => row[column.get(name) ?? -1] ?? '';
    const action = actionOf(cell, path);
    const id = cell('narration_id') || `row ${i + 2}`;
    if (
      row.length !== header.length ||
      cell('video_id') === '' ||
      Number.isNaN(action.start_s + action.stop_s)
    ) {
      broken.push(id);
      continue;
    }
    if (action.stop_s < action.start_s) reversed.push(id);
    const own = byVideo.get(cell('video_id'));
    if (own === undefined) byVideo.set(cell('video_id'), [action]);
    else own.push(action);
  }
  return [
    ...counted('narration_rows_broken', path, broken, rows.length, 'have no video or no times'),
    ...counted('narrations_reversed', path, reversed, rows.length, 'stop before they start'),
  ];
}

function actionOf(cell: (name: string) => string, source: string): Action {
  return {
    start_s: secondsOf(cell('start_timestamp')),
    stop_s: secondsOf(cell('stop_timestamp')),
    narration: cell('narration').trim(),
    verb_class: numberOf(cell('verb_class')),
    noun_class: numberOf(cell('noun_class')),
    start_frame: numberOf(cell('start_frame')),
    source,
  };
}

const numberOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

function counted(code: string, path: string, ids: readonly string[], rows: number, what: string): Finding[] {
  if (ids.length === 0) return [];
  const named = ids.slice(0, 3).join(', ');
  return [
    {
      code,
      severity: 'error',
      path,
      message: `${path}: ${ids.length} of ${rows} narrations ${what} (${named}${ids.length > 3 ? ', …' : ''})`,
      advice: 'restore the list from its source, or correct these rows',
      evidence: { narrations: rows, affected: ids.length },
    },
  ];
}
