import type { DuckDBConnection } from '@duckdb/node-api';
import type { EditedFeature } from '../../shared/write/edits/export-edit.ts';
import { everyRow } from './kept-episode.ts';
import { isPersistent, persistentWords } from './language/language-columns.ts';
import { named } from './sql.ts';

interface ColumnsOf {
  /** The rows of the source, as SQL has a table. */
  readonly from: string;
  readonly features: readonly EditedFeature[];
  /** Features that the source declares: those that are not among `features` are left out. */
  readonly declared: ReadonlySet<string>;
  readonly rate_hz: number;
  /** Rows of the new set have other places than in the source, in column `place` of `p`, and another rate. */
  readonly resampled_hz: number | null;
  /** Files of several sets get the same columns in the same order: those that are no features are left out. */
  readonly alike: boolean;
  /** Place of the source among those that are copied together. */
  readonly set: number;
  /** Columns beside `task_index` that hold indexes of tasks. */
  readonly taskColumns: ReadonlySet<string>;
}

/** A query over the source, in two parts. */
export interface ColumnsQuery {
  /** A table with the source's columns, shifted ones from other rows, and `assay row`: places in the episode. */
  readonly rows: string;
  /** What is selected of it (`d`), its kept episode (`k`) and its task (`t`). */
  readonly columns: string;
}

/**
 * Every column with the value that the source has, but for those that count (row, episode and task are numbered anew, and
 * stamps of an episode that is not whole) and those that edits change.
 */
export async function columnsOf(
  connection: DuckDBConnection,
  { from, features, declared, rate_hz, resampled_hz, alike, set, taskColumns }: ColumnsOf,
): Promise<ColumnsQuery> {
  const read = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${from}`);
  const types = new Map(read.getRows().map(([name, type]) => [String(name), String(type)]));
  // GR00T's sets leave frame_index out.
  const row = types.has('frame_index')
    ? 'frame_index'
    : 'row_number() OVER (PARTITION BY episode_index ORDER BY "index") - 1';
  const bySource = new Map(features.map((feature) => [feature.source, feature]));
  const shifted = features.filter(({ source, shift }) => shift !== 0 && types.has(source));
  const moved = shifted.map(({ source, shift }) => {
    const take = shift > 0 ? 'lag' : 'lead';
    return `${take}(${named(source)}, ${Math.abs(shift)}) OVER (PARTITION BY episode_index ORDER BY ${row}) AS ${named(source)}`;
  });
  const replaced = moved.length === 0 ? '' : ` REPLACE (${moved.join(', ')})`;
  const place = resampled_hz === null ? 'd."assay row" - k.first' : 'p.place';
  const order = new Map(features.map(({ source }, place) => [source, place]));
  const listed = [...types];
  const taken = alike
    ? listed.filter(([name]) => order.has(name)).sort(([a], [b]) => (order.get(a) ?? 0) - (order.get(b) ?? 0))
    : listed;
  const columns = taken.flatMap(([name, type]) => {
    const feature = bySource.get(name);
    const counted = counting(name, type, { place, rate_hz: resampled_hz ?? rate_hz });
    if (counted !== null) return [`${counted} AS ${named(name)}`];
    if (taskColumns.has(name)) return [`${taskOf(name, set)} AS ${named(feature?.key ?? name)}`];
    if (feature === undefined) return declared.has(name) ? [] : [`d.${named(name)}`];
    if (isPersistent(name, type))
      return [`${persistentWords(feature, type, rate_hz)} AS ${named(feature.key)}`];
    return [`${editedValue(feature, type)} AS ${named(feature.key)}`];
  });
  if (!types.has('frame_index')) columns.push(`${place} AS frame_index`);
  return {
    rows: `(SELECT *${replaced}, ${row} AS "assay row" FROM ${from})`,
    columns: columns.join(', '),
  };
}

/** Whole episodes are kept with so many rows; see `everyRow`. */
const isWhole = `k.rows = ${everyRow}`;

const newTask = `coalesce(t.index, error('a row has the task_index ' || d.task_index || ', which the table of tasks lacks')::BIGINT)`;

/** The new index of the task that another column names; `task_map` has it. */
const taskOf = (name: string, set: number) =>
  `(SELECT m.index FROM task_map AS m WHERE m.set = ${set} AND m.source = d.${named(name)})`;

/** Columns that count are numbered anew; null for all others. */
function counting(
  name: string,
  type: string,
  { place, rate_hz }: { readonly place: string; readonly rate_hz: number },
): string | null {
  if (name === 'episode_index') return 'k.index';
  if (name === 'index') return `k.from_row + ${place}`;
  if (name === 'task_index') return newTask;
  if (name === 'frame_index') return place;
  if (name !== 'timestamp') return null;
  return `CASE WHEN ${isWhole} THEN d.timestamp ELSE CAST((${place}) / ${rate_hz}::DOUBLE AS ${type}) END`;
}

function editedValue({ source, factors }: EditedFeature, type: string): string {
  const column = `d.${named(source)}`;
  if (factors.length === 0) return column;
  if (!type.endsWith(']'))
    return `CAST(${column}::DOUBLE${factors.map(({ by }) => ` * ${by}::DOUBLE`).join('')} AS ${type})`;
  // Places in a list count from 1.
  const value = factors.reduce(
    (inner, { dims, by }) =>
      `(CASE WHEN list_contains([${dims.map((dim) => dim + 1).join(', ')}], i) THEN ${inner} * ${by}::DOUBLE ELSE ${inner} END)`,
    'x::DOUBLE',
  );
  return `CAST(list_transform(${column}, lambda x, i : ${value}) AS ${type})`;
}
