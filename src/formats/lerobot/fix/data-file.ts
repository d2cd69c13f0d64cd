import { parquetSource, sqlName } from '../../shared/parquet/duck.ts';
import { type ParquetColumn, parquetColumns } from '../../shared/parquet/footer.ts';
import { queryChunks } from './parquet/query.ts';

/** Columns that number rows, expected in every data file. */
const numberingColumns = ['episode_index', 'frame_index', 'index', 'task_index'] as const;

/** A run of adjacent rows with the same episode_index. */
export interface RowRun {
  /** Episode index; −1 if the rows have none. */
  readonly episode: number;
  readonly start: number;
  rows: number;
  readonly firstFrame: number;
  lastFrame: number;
  /** Row offsets within the run at which frame_index restarts at 0. */
  readonly restarts: number[];
  /** True if frame_index rises by one from row to row. */
  framesConsecutive: boolean;
  readonly firstIndex: number;
  /** True if `index` rises by one from row to row. */
  indexConsecutive: boolean;
  /** Row counts by task_index. */
  readonly tasks: Map<number, number>;
}

/** The rows that belong to one episode, as decided by the fixes. */
export interface RowSpan {
  readonly episode: number;
  readonly start: number;
  readonly rows: number;
}

/** A data file with the state of its rows and the planned changes. */
export interface DataFile {
  readonly path: string;
  readonly absolute: string;
  readonly columns: readonly ParquetColumn[];
  readonly rows: number;
  readonly runs: readonly RowRun[];
  spans: readonly RowSpan[];
  /** Correct `index` of the first row. */
  firstIndex: number;
  /** Columns to rewrite. */
  readonly editedColumns: Set<string>;
  /** Episodes whose timestamps are replaced by frame_index / fps. */
  readonly restampedEpisodes: Set<number>;
  /** Columns to remove from the file. */
  readonly droppedColumns: Set<string>;
  /** New task_index by current task_index, per episode. */
  readonly taskRemaps: Map<number, ReadonlyMap<number, number>>;
}

/** Returns true if the file has the column; missing columns cannot be fixed. */
export function hasColumn({ columns }: Pick<DataFile, 'columns'>, columnName: string): boolean {
  return columns.some(({ name }) => name === columnName);
}

/**
 * Reads the numbering columns of a data file into a draft without planned changes: its rows as runs of equal
 * episode_index. Numbers that are missing or invalid read as -1. Throws `unreadable_input` if the file is damaged.
 */
export async function draftDataFile(absolute: string, path: string): Promise<DataFile> {
  const columns = await parquetColumns(absolute, path);
  const names = new Set(columns.map(({ name }) => name));
  const wanted = numberingColumns.map((name) =>
    names.has(name) ? `coalesce(TRY_CAST(${sqlName(name)} AS INTEGER), -1)` : '-1::INTEGER',
  );
  const runs: RowRun[] = [];
  let rows = 0;
  let previousIndex = -1;
  for await (const chunk of queryChunks(
    path,
    `SELECT ${wanted.join(', ')} FROM ${parquetSource([absolute])}`,
  )) {
    const [episodes, frames, indexes, tasks] = numberingColumns.map((_, at) => chunk.integers(at).values);
    for (let row = 0; row < chunk.rows; row++, rows++) {
      const last = runs.at(-1);
      if (last === undefined || last.episode !== episodes[row])
        runs.push(createRun(episodes[row], rows, frames[row], indexes[row]));
      else extendRun(last, frames[row], indexes[row] === previousIndex + 1);
      const run = runs[runs.length - 1];
      run.tasks.set(tasks[row], (run.tasks.get(tasks[row]) ?? 0) + 1);
      previousIndex = indexes[row];
    }
  }
  return {
    path,
    absolute,
    columns,
    rows,
    runs,
    spans: runs.map(({ episode, start, rows }) => ({ episode, start, rows })),
    firstIndex: 0,
    editedColumns: new Set(),
    restampedEpisodes: new Set(),
    droppedColumns: new Set(),
    taskRemaps: new Map(),
  };
}

/** Creates a run of one row. */
function createRun(episode: number, start: number, frame: number, index: number): RowRun {
  return {
    episode,
    start,
    rows: 1,
    firstFrame: frame,
    lastFrame: frame,
    restarts: [],
    framesConsecutive: true,
    firstIndex: index,
    indexConsecutive: true,
    tasks: new Map(),
  };
}

/** Adds a row to a run. `steady`: its index follows that of the row before. */
function extendRun(run: RowRun, frame: number, steady: boolean): void {
  if (frame === 0) run.restarts.push(run.rows);
  if (frame !== run.lastFrame + 1) run.framesConsecutive = false;
  if (!steady) run.indexConsecutive = false;
  run.lastFrame = frame;
  run.rows += 1;
}
