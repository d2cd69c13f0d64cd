import type { PlannedFile } from '../../../shared/fix/fix.ts';
import { rows } from '../../../shared/parquet/chunks.ts';
import { sqlText } from '../../../shared/parquet/duck.ts';
import type { TaskTable } from '../draft/read-tasks.ts';

/** The table of tasks with its texts as the pandas index: the library takes them for numbers without. */
export function tasksV3({ path, tasks }: TaskTable): PlannedFile {
  const list = tasks.map(({ index, text }) => `(${index}::BIGINT, ${sqlText(text)})`).join(', ');
  return {
    does: 'write',
    path,
    write: async (target) => {
      await rows(
        `COPY (SELECT * FROM (VALUES ${list}) AS t(task_index, task) ORDER BY task_index)
         TO ${sqlText(target)} (FORMAT parquet, KV_METADATA {pandas: ${sqlText(JSON.stringify(pandas))}})`,
      );
    },
  };
}

const column = (name: string, pandas_type: string, numpy_type: string) => ({
  name,
  field_name: name,
  pandas_type,
  numpy_type,
  metadata: null,
});

const pandas = {
  index_columns: ['task'],
  column_indexes: [],
  columns: [column('task_index', 'int64', 'int64'), column('task', 'unicode', 'object')],
  creator: { library: 'pyarrow', version: '21.0.0' },
  pandas_version: '2.3.0',
};
