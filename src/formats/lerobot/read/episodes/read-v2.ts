import { messageOf } from '#core';
import type { Episode } from '#core/episode';
import { fetchChunks } from '../../../shared/parquet/chunks.ts';
import { cacheFooters, parquetSource } from '../../../shared/parquet/duck.ts';
import { parquetColumns, parquetSignatures } from '../../../shared/parquet/footer.ts';
import type { ReadOptions, Unreadable } from '../../../shared/reader.ts';
import { type LeRobotSet, mayReuse } from '../../metadata/lerobot-set.ts';
import { assembleEpisode, createSharedParts } from '../assemble.ts';
import { compareFileColumns } from '../findings/data-findings.ts';
import { readPictures } from '../pictures.ts';
import type { Sources } from '../sources.ts';
import { readStatsOfEpisodes } from '../stats/compare-stats.ts';
import { planFile } from './column-plan.ts';
import { readNumberings } from './numberings.ts';
import { RowReader, selectList } from './row-reader.ts';
import {
  createDamagedFileFinding,
  createNoRowsFinding,
  createUnreadable,
  findFileFault,
  rethrowProgramError,
} from './unreadable.ts';

/** Selector of a v2 unit: rows of the episodes table, end exclusive, with one data file each. */
export interface TableRows {
  readonly from_row: number;
  readonly to_row: number;
}

/** The data file of an episode. */
interface EpisodeFile {
  readonly episode: number;
  readonly path: string;
  readonly table_row: number;
}

/**
 * Yields the episodes of a range of table rows in order; those that cannot be read or have no rows as unreadable. Files
 * with equal columns are read with one query.
 */
export async function* readUnitV2(
  set: LeRobotSet,
  sources: Sources,
  range: TableRows,
  options: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  await cacheFooters(false);
  const files: EpisodeFile[] = [];
  for (let row = range.from_row; row < range.to_row; row++) {
    const episode = set.episodes.index[row];
    const path = set.episodes.dataPath(row) ?? `data/episode_${episode}.parquet`;
    const blocked = findFileFault(set, path);
    if (blocked !== null) yield createUnreadable(episode, blocked);
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
      yield createUnreadable(
        file.episode,
        createDamagedFileFinding(set, file.path, await explainUnreadable(paths[at])),
      );
    else run.push(file);
  }
  yield* readRun(set, sources, run, options);
}

/** Reads files with equal columns; after an error the failed file is skipped and the rest is read again. */
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
      rethrowProgramError(thrown);
      // The failed file, or an earlier one whose rows were not delivered yet: it is read alone.
      const file = run[done];
      if (rest.length === 1) {
        yield createUnreadable(file.episode, createDamagedFileFinding(set, file.path, messageOf(thrown)));
        done += 1;
      } else {
        yield* readRun(set, sources, [file], options);
        done += 1;
      }
    }
  }
}

/** Reads files with equal columns in one query. */
async function* readTogether(
  set: LeRobotSet,
  sources: Sources,
  files: readonly EpisodeFile[],
  options: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  const paths = files.map((file) => set.tree.absolute(file.path));
  const plan = planFile(set.features, await parquetColumns(paths[0], files[0].path));
  const shared = createSharedParts(set, plan);
  const stats = await readStatsOfEpisodes(
    set,
    files.map((file) => file.episode),
  );
  const findings = compareFileColumns(set, plan, files[0].path);
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
        yield createUnreadable(
          files[next].episode,
          createNoRowsFinding(set, files[next].path, files[next].episode),
        );
    next += 1;
  };
  const reader = new RowReader(plan, numberings, mayReuse(set, plan, options));
  for await (const chunk of fetchChunks(sql)) {
    for (const rows of reader.read(chunk)) {
      options.signal?.throwIfAborted();
      const file = places[position++];
      yield* emptyBefore(file);
      const { path, table_row } = file;
      const pictures = await readPictures(set, plan, path, rows.numbering, rows.timestamps);
      const own = findings.map((finding) => ({ ...finding, path }));
      const of = stats === null ? undefined : (stats.get(rows.numbering.episode) ?? null);
      const parts = { rows, shared, path, first_row: null, table_row, stats: of, pictures, findings: own };
      yield assembleEpisode(set, parts, sources);
    }
  }
  yield* emptyBefore(undefined);
}

/** Returns the reason why a file cannot be read. */
async function explainUnreadable(path: string): Promise<string> {
  return parquetColumns(path, path).then(
    () => 'its columns are unreadable',
    (thrown: unknown) => messageOf(thrown),
  );
}
