import { parquetSource, sqlName } from '../../../shared/parquet/duck.ts';
import { type ParquetColumn, parquetColumns } from '../../../shared/parquet/footer.ts';
import { queryChunks } from '../parquet/query.ts';

/** Columns that number rows; every data file has them. */
const numbering = ['episode_index', 'frame_index', 'index', 'task_index'] as const;

/** Rows of a data file that lie together and carry one episode_index. */
export interface Run {
  /** −1 where the rows carry none. */
  readonly episode: number;
  readonly start: number;
  rows: number;
  readonly firstFrame: number;
  lastFrame: number;
  /** Rows, counted in the run, at which frame_index is 0 again. */
  readonly restarts: number[];
  /** frame_index rises by one from row to row. */
  framesSteady: boolean;
  readonly firstIndex: number;
  /** index rises by one from row to row. */
  indexSteady: boolean;
  /** How many rows name each task_index. */
  readonly tasks: Map<number, number>;
}

/** The rows of one episode, as they belong together. */
export interface RowSpan {
  readonly episode: number;
  readonly start: number;
  readonly rows: number;
}

/** A data file: what its rows say, and what they will say. */
export interface DataFile {
  readonly path: string;
  readonly absolute: string;
  readonly columns: readonly ParquetColumn[];
  readonly rows: number;
  readonly runs: readonly Run[];
  spans: readonly RowSpan[];
  /** `index` of the first row, as it should be. */
  firstIndex: number;
  /** Columns that are written again. */
  readonly edits: Set<string>;
  /** Episodes whose time stamps are put onto the grid. */
  readonly stamped: Set<number>;
  /** Columns that leave the file. */
  readonly dropped: Set<string>;
  /** By episode: task_index as it is, and as it will be. */
  readonly tasks: Map<number, ReadonlyMap<number, number>>;
}

/** A column that a file lacks cannot be corrected in it. */
export function hasColumn({ columns }: Pick<DataFile, 'columns'>, wanted: string): boolean {
  return columns.some(({ name }) => name === wanted);
}

/** Reads the numbering columns of a data file. Throws `unreadable_input`. */
export async function readDataFile(absolute: string, path: string): Promise<DataFile> {
  const columns = await parquetColumns(absolute, path);
  const names = new Set(columns.map(({ name }) => name));
  const wanted = numbering.map((name) =>
    names.has(name) ? `coalesce(TRY_CAST(${sqlName(name)} AS INTEGER), -1)` : '-1::INTEGER',
  );
  const runs: Run[] = [];
  let rows = 0;
  let previousIndex = -1;
  for await (const chunk of queryChunks(
    path,
    `SELECT ${wanted.join(', ')} FROM ${parquetSource([absolute])}`,
  )) {
    const [episodes, frames, indexes, tasks] = numbering.map((_, at) => chunk.integers(at).values);
    for (let row = 0; row < chunk.rows; row++, rows++) {
      const last = runs.at(-1);
      if (last === undefined || last.episode !== episodes[row])
        runs.push(newRun(episodes[row], rows, frames[row], indexes[row]));
      else add(last, frames[row], indexes[row] === previousIndex + 1);
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
    edits: new Set(),
    stamped: new Set(),
    dropped: new Set(),
    tasks: new Map(),
  };
}

function newRun(episode: number, start: number, frame: number, index: number): Run {
  return {
    episode,
    start,
    rows: 1,
    firstFrame: frame,
    lastFrame: frame,
    restarts: [],
    framesSteady: true,
    firstIndex: index,
    indexSteady: true,
    tasks: new Map(),
  };
}

function add(run: Run, frame: number, steady: boolean): void {
  if (frame === 0) run.restarts.push(run.rows);
  if (frame !== run.lastFrame + 1) run.framesSteady = false;
  if (!steady) run.indexSteady = false;
  run.lastFrame = frame;
  run.rows += 1;
}
