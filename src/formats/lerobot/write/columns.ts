import type { DuckDBConnection } from '@duckdb/node-api';
import type { JsonObject, JsonValue } from '#core';
import { sqlName, sqlText } from '../../shared/parquet/duck.ts';
import type { EditedFeature } from '../../shared/write/edits/export-edit.ts';
import { cutPersistentTexts, isPersistentColumn } from './language/language-columns.ts';
import { languageFeatures } from './language/language-features.ts';
import { allRows } from './layouts/layout.ts';

/** Inputs of the column query. */
interface ColumnsQueryOptions {
  /** Rows of the source as an SQL table expression. */
  readonly from: string;
  readonly features: readonly EditedFeature[];
  /** Features declared by the source; those not in `features` are left out. */
  readonly declared: ReadonlySet<string>;
  readonly rate_hz: number;
  /**
   * New rate if rows are resampled: their positions are then in column `place` of table `p`. Null if they are not.
   */
  readonly resampled_hz: number | null;
  /**
   * True if several sets are merged: all files get the same columns in the same order, without columns that are not
   * features.
   */
  readonly uniform: boolean;
  /** Position of the source among the merged sets. */
  readonly set: number;
  /** Columns other than `task_index` with task indexes. */
  readonly taskColumns: ReadonlySet<string>;
}

/** A query over the source, in two parts. */
export interface ColumnsQuery {
  /** Table expression with the source's columns, shifted by edits, and `assay row`: the row in the episode. */
  readonly rows: string;
  /** SELECT list over it (`d`), the copied episode (`k`) and its task (`t`). */
  readonly columns: string;
}

/**
 * Builds the query that copies all columns of a source: numbering columns and timestamps of partial episodes are
 * renumbered, columns with edits changed, dropped features left out.
 */
export async function buildColumnsQuery(
  connection: DuckDBConnection,
  { from, features, declared, rate_hz, resampled_hz, uniform, set, taskColumns }: ColumnsQueryOptions,
): Promise<ColumnsQuery> {
  const read = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${from}`);
  const types = new Map(read.getRows().map(([name, type]) => [String(name), String(type)]));
  // GR00T's sets have no frame_index.
  const row = types.has('frame_index')
    ? 'frame_index'
    : 'row_number() OVER (PARTITION BY episode_index ORDER BY "index") - 1';
  const bySource = new Map(features.map((feature) => [feature.source, feature]));
  const shifted = features.filter(({ source, shift }) => shift !== 0 && types.has(source));
  const moved = shifted.map(({ source, shift }) => {
    const take = shift > 0 ? 'lag' : 'lead';
    return `${take}(${sqlName(source)}, ${Math.abs(shift)}) OVER (PARTITION BY episode_index ORDER BY ${row}) AS ${sqlName(source)}`;
  });
  const replaced = moved.length === 0 ? '' : ` REPLACE (${moved.join(', ')})`;
  const place = resampled_hz === null ? 'd."assay row" - k.first' : 'p.place';
  const order = new Map(features.map(({ source }, place) => [source, place]));
  const listed = [...types];
  const taken = uniform
    ? listed.filter(([name]) => order.has(name)).sort(([a], [b]) => (order.get(a) ?? 0) - (order.get(b) ?? 0))
    : listed;
  const columns = taken.flatMap(([name, type]) => {
    const feature = bySource.get(name);
    const counted = renumberedColumn(name, type, { place, rate_hz: resampled_hz ?? rate_hz });
    if (counted !== null) return [`${counted} AS ${sqlName(name)}`];
    if (taskColumns.has(name)) return [`${mapTaskColumn(name, set)} AS ${sqlName(feature?.key ?? name)}`];
    if (feature === undefined) return declared.has(name) ? [] : [`d.${sqlName(name)}`];
    if (isPersistentColumn(name, type))
      return [`${cutPersistentTexts(feature, type, rate_hz)} AS ${sqlName(feature.key)}`];
    return [`${editedValue(feature, type)} AS ${sqlName(feature.key)}`];
  });
  if (!types.has('frame_index')) columns.push(`${place} AS frame_index`);
  return {
    rows: `(SELECT *${replaced}, ${row} AS "assay row" FROM ${from})`,
    columns: columns.join(', '),
  };
}

/** SQL condition for complete episodes; see `allRows`. */
const isWholeEpisode = `k.rows = ${allRows}`;

/** SQL expression of the new task index; the query fails if the tasks table lacks the task. */
const newTaskIndex = `coalesce(t.index, error('task_index ' || d.task_index || ' is not in the task table')::BIGINT)`;

/** SQL expression of the new task index for another column, from `task_map`. */
const mapTaskColumn = (name: string, set: number) =>
  `(SELECT m.index FROM task_map AS m WHERE m.set = ${set} AND m.source = d.${sqlName(name)})`;

/** Returns the SQL expression of a renumbered column; null for other columns. */
function renumberedColumn(
  name: string,
  type: string,
  { place, rate_hz }: { readonly place: string; readonly rate_hz: number },
): string | null {
  if (name === 'episode_index') return 'k.index';
  if (name === 'index') return `k.from_row + ${place}`;
  if (name === 'task_index') return newTaskIndex;
  if (name === 'frame_index') return place;
  if (name !== 'timestamp') return null;
  return `CASE WHEN ${isWholeEpisode} THEN d.timestamp ELSE CAST((${place}) / ${rate_hz}::DOUBLE AS ${type}) END`;
}

/** Returns the SQL expression of a column with its edit factors applied. */
function editedValue({ source, factors }: EditedFeature, type: string): string {
  const column = `d.${sqlName(source)}`;
  if (factors.length === 0) return column;
  if (!type.endsWith(']'))
    return `CAST(${column}::DOUBLE${factors.map(({ by }) => ` * ${by}::DOUBLE`).join('')} AS ${type})`;
  // List positions start at 1.
  const value = factors.reduce(
    (inner, { dims, by }) =>
      `(CASE WHEN list_contains([${dims.map((dim) => dim + 1).join(', ')}], i) THEN ${inner} * ${by}::DOUBLE ELSE ${inner} END)`,
    'x::DOUBLE',
  );
  return `CAST(list_transform(${column}, lambda x, i : ${value}) AS ${type})`;
}

/**
 * Returns the KV_METADATA clause of a COPY statement that tells the `datasets` library the feature types; empty without
 * picture features: the columns then suffice, and no version trips over another's types. Vectors are declared as
 * `Sequence`, which every version reads (`List` only from 4 on).
 */
export function createColumnFooter(features: JsonObject): string {
  const all = Object.entries(features as Record<string, JsonObject>).filter(
    ([, { dtype }]) => dtype !== 'video',
  );
  if (!all.some(([, { dtype }]) => dtype === 'image')) return '';
  const types = Object.fromEntries(
    all.map(([key, feature]) => [key, languageType(key) ?? featureType(feature)]),
  );
  return `, KV_METADATA {huggingface: ${sqlText(JSON.stringify({ info: { features: types } }))}}`;
}

/** Returns the type of a LeRobot language column; null for other columns. */
function languageType(key: string): JsonValue | null {
  if (!Object.hasOwn(languageFeatures, key)) return null;
  const text = { dtype: 'string', _type: 'Value' };
  const stamp = key === 'language_persistent' ? { timestamp: { dtype: 'float32', _type: 'Value' } } : {};
  return [{ role: text, content: text, style: text, ...stamp, camera: text, tool_calls: [text] }];
}

function featureType({ dtype, shape }: JsonObject): JsonObject {
  if (dtype === 'image') return { _type: 'Image' };
  const value = { dtype, _type: 'Value' } as JsonObject;
  const dims = Array.isArray(shape) ? shape : [1];
  if (dims.length > 1) return { shape: dims, dtype, _type: `Array${dims.length}D` } as JsonObject;
  return dims.length === 0 || dims[0] === 1
    ? value
    : ({ feature: value, length: dims[0], _type: 'Sequence' } as JsonObject);
}
