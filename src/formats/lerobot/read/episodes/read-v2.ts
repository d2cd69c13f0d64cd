import { messageOf } from '#core';
import type { Episode } from '#core/episode';
import { chunks } from '../../../shared/parquet/chunks.ts';
import { keepFooters, parquetSource } from '../../../shared/parquet/duck.ts';
import { parquetColumns, parquetSignatures } from '../../../shared/parquet/footer.ts';
import type { ReadOptions, Unreadable } from '../../../shared/reader.ts';
import { type LeRobotSet, mayReuse } from '../../metadata/lerobot-set.ts';
import { assemble, sharedParts } from '../assemble.ts';
import { readPictures } from '../cameras/pictures.ts';
import type { Sources } from '../cameras/sources.ts';
import { columnFindingsOf } from '../findings/file-findings.ts';
import { readNumberings } from '../findings/numberings.ts';
import { statsOf } from '../stats/stale-stats.ts';
import { planFile } from './column-plan.ts';
import { RowReader, selectList } from './row-reader.ts';
import { blockedFile, damagedFile, rethrowFault, unreadable, withoutRows } from './unreadable.ts';

/** Rows of the episodes table, one data file each. */
export interface TableRows {
  readonly from_row: number;
  readonly to_row: number;
}

interface EpisodeFile {
  readonly episode: number;
  readonly path: string;
  readonly table_row: number;
}

/** Reads a group of episode files: one query for every run of files with the same columns. */
export async function* readUnitV2(
  set: LeRobotSet,
  sources: Sources,
  range: TableRows,
  options: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  await keepFooters(false);
  const files: EpisodeFile[] = [];
  for (let row = range.from_row; row < range.to_row; row++) {
    const episode = set.episodes.index[row];
    const path = set.episodes.dataPath(row) ?? `data/episode_${episode}.parquet`;
    const blocked = blockedFile(set, path);
    if (blocked !== null) yield unreadable(episode, blocked);
    else files.push({ episode, path, table_row: row });
  }
  if (files.length === 0) return;
  const paths = files.map((file) => set.tree.absolute(file.path));
  const signatures = await parquetSignatures(paths);
  let run: EpisodeFile[] = [];
  let signature: string | undefined;
  for (const [at, file] of files.entries()) {
    const own = signatures.get(paths[at]);
    if (own !== signature && run.length > 0) {
      yield* readRun(set, sources, run, options);
      run = [];
    }
    signature = own;
    if (own === undefined)
      yield unreadable(file.episode, damagedFile(set, file.path, await whyUnreadable(paths[at])));
    else run.push(file);
  }
  yield* readRun(set, sources, run, options);
}

async function* readRun(
  set: LeRobotSet,
  sources: Sources,
  run: readonly EpisodeFile[],
  options: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  let done = 0;
  while (done < run.length) {
    const rest = run.slice(done);
    try {
      for await (const episode of readTogether(set, sources, rest, options)) {
        done += 1;
        yield episode;
      }
      return;
    } catch (thrown) {
      options.signal?.throwIfAborted();
      rethrowFault(thrown);
      // The file that failed, or one before it whose rows were still on their way: it is tried alone.
      const file = run[done];
      if (rest.length === 1) {
        yield unreadable(file.episode, damagedFile(set, file.path, messageOf(thrown)));
        done += 1;
      } else {
        yield* readRun(set, sources, [file], options);
        done += 1;
      }
    }
  }
}

async function* readTogether(
  set: LeRobotSet,
  sources: Sources,
  files: readonly EpisodeFile[],
  options: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  const paths = files.map((file) => set.tree.absolute(file.path));
  const plan = planFile(set.features, await parquetColumns(paths[0], files[0].path));
  const shared = sharedParts(set, plan);
  const stats = await statsOf(
    set,
    files.map((file) => file.episode),
  );
  const findings = columnFindingsOf(set, plan, files[0].path);
  const found = await readNumberings(plan, parquetSource(paths, 'file_row_number = true'), 'file_index', '');
  const numberings = found.map((numbering) => ({ ...numbering, episode: files[numbering.episode].episode }));
  const places = found.map((numbering) => files[numbering.episode]);
  const sql = `SELECT ${selectList(plan)} FROM ${parquetSource(paths)}`;
  const filled = new Set(places);
  let position = 0;
  let next = 0;
  const emptyBefore = function* (file: EpisodeFile | undefined): Generator<Unreadable> {
    for (; next < files.length && files[next] !== file; next++)
      if (!filled.has(files[next]))
        yield unreadable(files[next].episode, withoutRows(set, files[next].path, files[next].episode));
    next += 1;
  };
  const reader = new RowReader(plan, numberings, mayReuse(set, plan, options));
  for await (const chunk of chunks(sql)) {
    for (const rows of reader.take(chunk)) {
      options.signal?.throwIfAborted();
      const file = places[position++];
      yield* emptyBefore(file);
      const { path, table_row } = file;
      const pictures = await readPictures(set, plan, path, rows.numbering, rows.timestamps);
      const own = findings.map((finding) => ({ ...finding, path }));
      const of = stats === null ? undefined : (stats.get(rows.numbering.episode) ?? null);
      const parts = { rows, shared, path, first_row: null, table_row, stats: of, pictures, findings: own };
      yield assemble(set, parts, sources);
    }
  }
  yield* emptyBefore(undefined);
}

async function whyUnreadable(path: string): Promise<string> {
  return parquetColumns(path, path).then(
    () => 'its columns could not be read',
    (thrown: unknown) => messageOf(thrown),
  );
}
