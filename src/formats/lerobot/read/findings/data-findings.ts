import { listText, messageOf } from '#core';
import type { Finding } from '#core/episode';
import { type SourceTree, withLocalFiles } from '#io/sources';
import { fetchChunks } from '../../../shared/parquet/chunks.ts';
import { parquetSource } from '../../../shared/parquet/duck.ts';
import {
  acquireFooter,
  type ParquetColumn,
  parquetColumns,
  parquetKeyValues,
  parquetRange,
  parquetRowCount,
  parquetStatistics,
} from '../../../shared/parquet/footer.ts';
import type { FindingCollector } from '../../metadata/finding-collector.ts';
import { type Feature, infoPath } from '../../metadata/info.ts';
import type { LeRobotSet } from '../../metadata/lerobot-set.ts';
import { createLeRobotViolation, type LeRobotRuleId } from '../../rules/contract.ts';
import { type FilePlan, planFile } from '../episodes/column-plan.ts';
import type { EpisodeTable } from '../episodes/episode-table.ts';

/** Columns of the first readable data file. */
export interface ReferenceColumns {
  /** The first readable data file and its columns; null if there is none. */
  readonly reference: { readonly file: string; readonly columns: readonly ParquetColumn[] } | null;
  /** Unreadable files before it, with the reason. */
  readonly damaged: readonly (readonly [file: string, why: string])[];
}

/**
 * Returns the columns of the first readable file among the first 50, with `reference` null if there is none, and the
 * unreadable files before it.
 */
export async function findReferenceColumns(
  tree: SourceTree,
  files: readonly string[],
): Promise<ReferenceColumns> {
  const damaged: [string, string][] = [];
  for (const file of files.slice(0, 50)) {
    try {
      const columns = await withLocalFiles(acquireFooter(tree, file), (held) =>
        parquetColumns(held.absolute(file), file),
      );
      return { reference: { file, columns }, damaged };
    } catch (thrown) {
      damaged.push([file, messageOf(thrown)]);
    }
  }
  return { reference: null, damaged };
}

/**
 * Adds findings on declared features that a data file lacks, on its undeclared columns, and on columns of unreadable
 * types.
 */
export function compareColumns(
  features: ReadonlyMap<string, Feature>,
  layout: 'v2' | 'v3',
  reference: { file: string; columns: readonly ParquetColumn[] },
  notes: FindingCollector,
): void {
  const plan = planFile(features, reference.columns);
  const isSignal = (key: string) => key === 'action' || key === 'observation.state';
  const missingSignals = plan.missing.filter(isSignal);
  const missing = plan.missing.filter((key) => !isSignal(key));
  const violation = (id: LeRobotRuleId, keys: readonly string[], what: string) => {
    if (keys.length === 0) return;
    const message = `${listText(keys)} ${keys.length === 1 ? 'is' : 'are'} ${what}`;
    notes.addFinding(createLeRobotViolation(layout, id, reference.file, message));
  };
  violation('signal_missing', missingSignals, 'declared, but missing from the data');
  violation('feature_missing', missing, 'declared, but missing from the data');
  violation('column_undeclared', plan.undeclared, `in the data, but not declared in ${infoPath}`);
  if (plan.unreadable.length > 0) {
    notes.add(
      'column_unreadable',
      'warning',
      reference.file,
      `${listText(plan.unreadable)} ${plan.unreadable.length === 1 ? 'has an unsupported type and is' : 'have an unsupported type and are'} ignored: not numbers, images or text`,
      'rewrite the column with the declared type',
    );
  }
}

/**
 * Adds findings on footer metadata of the `datasets` library that is missing although pictures need it (v2), or too new
 * for older releases.
 */
export async function reportFooter(
  { tree, layout, features }: LeRobotSet,
  file: string,
  notes: FindingCollector,
): Promise<void> {
  const values = await withLocalFiles(acquireFooter(tree, file), (held) =>
    parquetKeyValues(held.absolute(file), file),
  ).catch(() => null);
  const pictures = [...features.values()].some(({ dtype }) => dtype === 'image');
  if (layout === 'v2' && pictures && values !== null && !values.has('huggingface'))
    notes.addFinding(
      createLeRobotViolation(
        layout,
        'pictures_without_footer',
        file,
        'the Parquet footer does not declare the features, so images are loaded as dicts and every row fails',
      ),
    );
  if (values?.get('huggingface')?.includes('"_type": "List"') !== true) return;
  notes.add(
    'footer_list_type',
    'info',
    file,
    'the Parquet footer uses the feature type List, which requires Hugging Face datasets 4 or newer',
    'rewrite the data files without the huggingface metadata',
  );
}

/**
 * Returns for each episode the data file with most of its rows, if the files contradict the table; null if they agree.
 * Row counts and ranges are read from footers, so that the check is cheap.
 */
export async function findActualFiles(
  tree: SourceTree,
  files: readonly string[],
  table: EpisodeTable,
): Promise<Map<number, string> | null> {
  if (await filesMatchTable(tree, files, table)) return null;
  const actualFiles = new Map<number, string>();
  const best = new Map<number, number>();
  for (const file of files) {
    const held = await tree.acquire([file]);
    const sql = `SELECT episode_index::INTEGER, count(*)::INTEGER FROM ${parquetSource([held.absolute(file)])}
      WHERE episode_index IS NOT NULL GROUP BY 1 ORDER BY 1`;
    try {
      for await (const chunk of fetchChunks(sql)) {
        const episodes = chunk.integers(0).values;
        const counts = chunk.integers(1).values;
        for (let row = 0; row < chunk.rows; row++) {
          if ((best.get(episodes[row]) ?? 0) >= counts[row]) continue;
          best.set(episodes[row], counts[row]);
          actualFiles.set(episodes[row], file);
        }
      }
    } catch {
      // Unreadable files are reported elsewhere; their episodes stay where the table puts them.
    } finally {
      await held.release();
    }
  }
  return actualFiles;
}

/** Number of footers read concurrently. */
const filesPerBatch = 4;

/** Returns true if the episode range and row count of every file agree with the table. */
async function filesMatchTable(
  tree: SourceTree,
  files: readonly string[],
  table: EpisodeTable,
): Promise<boolean> {
  const declared = new Map<string, DeclaredEpisodes>();
  for (let row = 0; row < table.count; row++) {
    const path = table.dataPath(row);
    if (path === null || table.length[row] < 0) return false;
    const episode = table.index[row];
    const known = declared.get(path);
    if (known === undefined) declared.set(path, { low: episode, high: episode, rows: table.length[row] });
    else {
      known.low = Math.min(known.low, episode);
      known.high = Math.max(known.high, episode);
      known.rows += table.length[row];
    }
  }
  for (let from = 0; from < files.length; from += filesPerBatch) {
    const some = files.slice(from, from + filesPerBatch);
    const agreeing = await Promise.all(some.map((file) => fileMatches(tree, file, declared.get(file))));
    if (agreeing.includes(false)) return false;
  }
  return true;
}

/** Episode range and row count of a file according to the table. */
interface DeclaredEpisodes {
  low: number;
  high: number;
  rows: number;
}

/** Returns true if a file's episode range and row count are as declared. */
async function fileMatches(
  tree: SourceTree,
  file: string,
  expected: DeclaredEpisodes | undefined,
): Promise<boolean> {
  const range = await readEpisodeRange(tree, file).catch(() => null);
  if (range === null || expected === undefined || range[0] !== expected.low || range[1] !== expected.high)
    return false;
  const rows = withLocalFiles(acquireFooter(tree, file), (held) =>
    parquetRowCount(held.absolute(file), file),
  );
  return (await rows.catch(() => -1)) === expected.rows;
}

/** Returns minimum and maximum episode_index of a file, from its footer if possible for files in a store. */
async function readEpisodeRange(tree: SourceTree, file: string): Promise<readonly [number, number] | null> {
  const expected =
    tree.store === null
      ? null
      : await withLocalFiles(acquireFooter(tree, file), (held) =>
          parquetStatistics(held.absolute(file), 'episode_index', file),
        );
  return (
    expected ??
    withLocalFiles(tree.acquire([file]), (held) => parquetRange(held.absolute(file), 'episode_index', file))
  );
}

/**
 * Returns a finding if a data file lacks columns of the set's reference file or has others; empty if they are the same,
 * or without a reference. Types are not compared.
 */
export function compareFileColumns(set: LeRobotSet, plan: FilePlan, file: string): Finding[] {
  if (set.reference === null) return [];
  const usual = new Set(set.reference.map((column) => column.name));
  const lacking = [...usual].filter((name) => !plan.has.has(name));
  const extra = [...plan.has].filter((name) => !usual.has(name));
  if (lacking.length === 0 && extra.length === 0) return [];
  const parts = [
    lacking.length > 0 ? `lacks ${listText(lacking)}` : '',
    extra.length > 0 ? `also has ${listText(extra)}` : '',
  ].filter((part) => part !== '');
  return [
    createLeRobotViolation(
      set.layout,
      'columns_differ',
      file,
      `the columns differ from the other data files: the file ${parts.join(' and ')}`,
    ),
  ];
}
