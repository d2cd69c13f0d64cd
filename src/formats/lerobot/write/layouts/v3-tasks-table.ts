import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { sqlText } from '../../../shared/parquet/duck.ts';

/** Footer metadata of pandas; without it the library reads every task as a number. */
const pandasFooter = JSON.stringify({
  index_columns: ['task'],
  column_indexes: [],
  columns: [
    {
      name: 'task_index',
      field_name: 'task_index',
      pandas_type: 'int64',
      numpy_type: 'int64',
      metadata: null,
    },
    { name: 'task', field_name: 'task', pandas_type: 'unicode', numpy_type: 'object', metadata: null },
  ],
  creator: { library: 'pyarrow', version: '21.0.0' },
  pandas_version: '2.3.0',
});

/** Writes meta/tasks.parquet; the position of a text is its task_index. */
export async function writeTasks(
  connection: DuckDBConnection,
  folder: string,
  tasks: readonly string[],
): Promise<void> {
  const rows = tasks.map((task, index) => `(${index}::BIGINT, ${sqlText(task)})`).join(', ');
  await connection.run(
    `COPY (SELECT * FROM (VALUES ${rows}) AS t(task_index, task) ORDER BY task_index)
     TO ${sqlText(join(folder, 'meta/tasks.parquet'))} (FORMAT parquet, KV_METADATA {pandas: ${sqlText(pandasFooter)}})`,
  );
}
