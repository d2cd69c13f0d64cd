import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  BIGINT,
  BLOB,
  BOOLEAN,
  blobValue,
  DOUBLE,
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBType,
  type DuckDBValue,
  FLOAT,
  LIST,
  listValue,
  STRUCT,
  structValue,
  VARCHAR,
} from '@duckdb/node-api';
import type { ColumnType, DataFile, EpisodeRow, WrittenSet } from './written-set.ts';

/** Writes the set below `folder` and does to its files what is planted there. */
export async function writeSet(set: WrittenSet, folder: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  try {
    for (const file of set.data) await writeData(connection, folder, file);
    if (set.version === 'v3.0') await writeTablesV3(connection, folder, set);
    else await writeTablesV2(folder, set);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
  await put(folder, 'meta/info.json', `${JSON.stringify(set.info, null, 4)}\n`);
  for (const { path, clips, encoding, size } of set.videos) {
    const shots = clips.flatMap((clip) => clip.shots);
    await put(folder, path, await set.studio.film({ shots, encoding, size }));
  }
  for (const [path, content] of Object.entries(set.extra)) await put(folder, path, content);
  for (const spoil of set.after) await spoil(folder);
}

async function put(folder: string, path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}

const picture = STRUCT({ bytes: BLOB, path: VARCHAR });
const types: Readonly<Record<ColumnType, DuckDBType>> = {
  'FLOAT[]': LIST(FLOAT),
  'DOUBLE[]': LIST(DOUBLE),
  FLOAT,
  DOUBLE,
  BIGINT,
  BOOLEAN,
  PICTURE: picture,
};

async function writeData(connection: DuckDBConnection, folder: string, file: DataFile): Promise<void> {
  const columns = Object.entries(file.columns);
  const declared = columns.map(([name, type]) => `"${name}" ${types[type]}`).join(', ');
  await connection.run(`CREATE OR REPLACE TABLE data (${declared})`);
  const appender = await connection.createAppender('data');
  for (const { values } of file.rows) {
    for (const [name, type] of columns) appender.appendValue(duckValue(values[name], type), types[type]);
    appender.endRow();
  }
  appender.closeSync();
  const path = join(folder, file.path);
  await mkdir(dirname(path), { recursive: true });
  const footer = Object.entries(file.footer).map(([key, value]) => `"${key}": ${quoted(value)}`);
  const options = footer.length === 0 ? '' : `, KV_METADATA {${footer.join(', ')}}`;
  await connection.run(`COPY (SELECT * FROM data) TO ${quoted(path)} (FORMAT parquet${options})`);
}

function duckValue(value: unknown, type: ColumnType): DuckDBValue {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return structValue({ bytes: blobValue(value), path: null });
  if (Array.isArray(value)) return listValue(value);
  if (type === 'BIGINT') return BigInt(Number(value));
  return type === 'BOOLEAN' ? Boolean(value) : Number(value);
}

async function writeTablesV2(folder: string, set: WrittenSet): Promise<void> {
  const lines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  await put(folder, 'meta/episodes.jsonl', lines(set.episodes));
  await put(folder, 'meta/tasks.jsonl', lines(set.tasks));
  if (set.stats === null) await put(folder, 'meta/episodes_stats.jsonl', lines(set.episodeStats));
  else await put(folder, 'meta/stats.json', JSON.stringify(set.stats, null, 4));
}

async function writeTablesV3(connection: DuckDBConnection, folder: string, set: WrittenSet): Promise<void> {
  if (set.stats !== null) await put(folder, 'meta/stats.json', jsonOf(set.stats));
  await writeTasks(connection, folder, set);
  if (set.episodes.length > 0) await writeEpisodes(connection, folder, set.episodes);
}

/** Formats a value like Python's `json.dump`, including NaN. */
function jsonOf(value: unknown): string {
  const marked = JSON.stringify(value, (_, entry) => (Number.isNaN(entry) ? '@NaN' : entry), 4);
  return `${marked.replaceAll('"@NaN"', 'NaN')}\n`;
}

async function writeTasks(connection: DuckDBConnection, folder: string, set: WrittenSet): Promise<void> {
  const name = set.taskIndex ? '__index_level_0__' : 'task';
  const rows = set.tasks.map(({ task_index, task }) => `(${task_index}::BIGINT, ${quoted(task)})`).join(', ');
  const path = quoted(join(folder, 'meta/tasks.parquet'));
  const footer = quoted(JSON.stringify(pandasFooter(set)));
  await connection.run(
    `COPY (SELECT * FROM (VALUES ${rows}) AS t(task_index, "${name}")) TO ${path} (FORMAT parquet, KV_METADATA {pandas: ${footer}})`,
  );
}

/** Returns the pandas metadata of a task table, which declares whether the texts are its index. */
function pandasFooter({ taskIndex, tasks }: WrittenSet): object {
  const column = (name: string | null, field_name: string, pandas_type: string, numpy_type: string) => ({
    name,
    field_name,
    pandas_type,
    numpy_type,
    metadata: null,
  });
  const range = { kind: 'range', name: null, start: 0, stop: tasks.length, step: 1 };
  return {
    index_columns: taskIndex ? ['__index_level_0__'] : [range],
    column_indexes: [],
    columns: [
      column('task_index', 'task_index', 'int64', 'int64'),
      taskIndex
        ? column(null, '__index_level_0__', 'unicode', 'object')
        : column('task', 'task', 'unicode', 'object'),
    ],
    creator: { library: 'pyarrow', version: '21.0.0' },
    pandas_version: '2.3.0',
  };
}

async function writeEpisodes(
  connection: DuckDBConnection,
  folder: string,
  rows: readonly EpisodeRow[],
): Promise<void> {
  const scratch = join(folder, 'meta/episodes/chunk-000/rows.jsonl.partial');
  await put(
    folder,
    'meta/episodes/chunk-000/rows.jsonl.partial',
    rows.map((row) => JSON.stringify(row)).join('\n'),
  );
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = names.map((name) => `${quoted(name)}: '${episodeColumn(name, rows[0][name])}'`);
  const target = join(folder, 'meta/episodes/chunk-000/file-000.parquet');
  await connection.run(
    `COPY (SELECT * FROM read_json(${quoted(scratch)}, format = 'newline_delimited', columns = {${columns.join(', ')}}))
     TO ${quoted(target)} (FORMAT parquet)`,
  );
  await rm(scratch);
}

function episodeColumn(name: string, value: unknown): string {
  if (name === 'tasks') return 'VARCHAR[]';
  if (
    /\/(count)$/.test(name) ||
    /^stats\/(frame_index|episode_index|index|task_index)\/(min|max)$/.test(name)
  )
    return 'BIGINT[]';
  if (!Array.isArray(value)) return name.endsWith('_timestamp') ? 'DOUBLE' : 'BIGINT';
  return Array.isArray(value[0]) ? 'DOUBLE[][][]' : 'DOUBLE[]';
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
