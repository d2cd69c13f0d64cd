import { enumerate, messageOf } from '#core';
import { type SourceTree, withHeld } from '#io/sources';
import { chunks } from '../../../shared/parquet/chunks.ts';
import { parquetSource } from '../../../shared/parquet/duck.ts';
import {
  type ParquetColumn,
  parquetColumns,
  parquetKeyValues,
  parquetRange,
  parquetRowCount,
  parquetStatistics,
} from '../../../shared/parquet/footer.ts';
import { holdFooter } from '../../../shared/parquet/hold-footer.ts';
import { type Feature, infoPath } from '../../metadata/info.ts';
import type { LeRobotSet } from '../../metadata/lerobot-set.ts';
import type { Notes } from '../../metadata/notes.ts';
import { type LeRobotRuleId, lerobotBreach } from '../../rules/contract.ts';
import { planFile } from '../episodes/column-plan.ts';
import type { EpisodeTable } from '../episodes/episode-table.ts';

export interface ReferenceColumns {
  /** Columns of the first data file that can be read; null when none can. */
  readonly reference: { readonly file: string; readonly columns: readonly ParquetColumn[] } | null;
  /** Files before it that cannot, and why. */
  readonly damaged: readonly (readonly [file: string, why: string])[];
}

export async function referenceColumns(
  tree: SourceTree,
  files: readonly string[],
): Promise<ReferenceColumns> {
  const damaged: [string, string][] = [];
  for (const file of files.slice(0, 50)) {
    try {
      const columns = await withHeld(holdFooter(tree, file), (held) =>
        parquetColumns(held.absolute(file), file),
      );
      return { reference: { file, columns }, damaged };
    } catch (thrown) {
      damaged.push([file, messageOf(thrown)]);
    }
  }
  return { reference: null, damaged };
}

/** Declared features against the columns of a data file. */
export function compareColumns(
  features: ReadonlyMap<string, Feature>,
  layout: 'v2' | 'v3',
  reference: { file: string; columns: readonly ParquetColumn[] },
  notes: Notes,
): void {
  const plan = planFile(features, reference.columns);
  const isSignal = (key: string) => key === 'action' || key === 'observation.state';
  const missingSignals = plan.missing.filter(isSignal);
  const missing = plan.missing.filter((key) => !isSignal(key));
  const breach = (id: LeRobotRuleId, keys: readonly string[], what: string) => {
    if (keys.length === 0) return;
    const message = `${enumerate(keys)} ${keys.length === 1 ? 'is' : 'are'} ${what}`;
    notes.put(lerobotBreach(layout, id, reference.file, message));
  };
  breach('signal_missing', missingSignals, 'declared and not in the data');
  breach('feature_missing', missing, 'declared and not in the data');
  breach('column_undeclared', plan.undeclared, `in the data and not declared in ${infoPath}`);
  if (plan.unreadable.length > 0) {
    notes.add(
      'column_unreadable',
      'warning',
      reference.file,
      `${enumerate(plan.unreadable)} cannot be read as numbers, pictures or text and ${plan.unreadable.length === 1 ? 'is' : 'are'} left out`,
      'write the column with the declared type',
    );
  }
}

/** Footer metadata of `datasets` that is absent where pictures need it, or newer than older releases can read. */
export async function reportFooter(
  { tree, layout, features }: LeRobotSet,
  file: string,
  notes: Notes,
): Promise<void> {
  const values = await withHeld(holdFooter(tree, file), (held) =>
    parquetKeyValues(held.absolute(file), file),
  ).catch(() => null);
  const pictures = [...features.values()].some(({ dtype }) => dtype === 'image');
  if (layout === 'v2' && pictures && values !== null && !values.has('huggingface'))
    notes.put(
      lerobotBreach(
        layout,
        'pictures_without_footer',
        file,
        'the footer does not name the features, so that pictures come back as dicts and every row fails',
      ),
    );
  if (values?.get('huggingface')?.includes('"_type": "List"') !== true) return;
  notes.add(
    'footer_list_type',
    'info',
    file,
    'the footer names the feature type List, which the datasets library before version 4 cannot read',
    'write the data files without huggingface metadata',
  );
}

/**
 * Where the rows of each episode really are, when the files contradict the table; null when they agree. Row counts and
 * ranges come from footers, so that agreement costs next to nothing.
 */
export async function findHomes(
  tree: SourceTree,
  files: readonly string[],
  table: EpisodeTable,
): Promise<Map<number, string> | null> {
  if (await agree(tree, files, table)) return null;
  const homes = new Map<number, string>();
  const best = new Map<number, number>();
  for (const file of files) {
    const held = await tree.hold([file]);
    const sql = `SELECT episode_index::INTEGER, count(*)::INTEGER FROM ${parquetSource([held.absolute(file)])}
      WHERE episode_index IS NOT NULL GROUP BY 1 ORDER BY 1`;
    try {
      for await (const chunk of chunks(sql)) {
        const episodes = chunk.integers(0).values;
        const counts = chunk.integers(1).values;
        for (let row = 0; row < chunk.rows; row++) {
          if ((best.get(episodes[row]) ?? 0) >= counts[row]) continue;
          best.set(episodes[row], counts[row]);
          homes.set(episodes[row], file);
        }
      }
    } catch {
      // A file that cannot be read is somebody else's finding; its episodes stay where the table puts them.
    } finally {
      await held.release();
    }
  }
  return homes;
}

/** Files whose footers are read at once. */
const atOnce = 4;

async function agree(tree: SourceTree, files: readonly string[], table: EpisodeTable): Promise<boolean> {
  const declared = new Map<string, Declared>();
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
  for (let from = 0; from < files.length; from += atOnce) {
    const some = files.slice(from, from + atOnce);
    const agreeing = await Promise.all(some.map((file) => agrees(tree, file, declared.get(file))));
    if (agreeing.includes(false)) return false;
  }
  return true;
}

interface Declared {
  low: number;
  high: number;
  rows: number;
}

async function agrees(tree: SourceTree, file: string, said: Declared | undefined): Promise<boolean> {
  const range = await rangeOf(tree, file).catch(() => null);
  if (range === null || said === undefined || range[0] !== said.low || range[1] !== said.high) return false;
  const rows = withHeld(holdFooter(tree, file), (held) => parquetRowCount(held.absolute(file), file));
  return (await rows.catch(() => -1)) === said.rows;
}

/** Least and greatest episode of a file; of one in a store no rows are fetched for that where its footer says. */
async function rangeOf(tree: SourceTree, file: string): Promise<readonly [number, number] | null> {
  const said =
    tree.store === null
      ? null
      : await withHeld(holdFooter(tree, file), (held) =>
          parquetStatistics(held.absolute(file), 'episode_index', file),
        );
  return (
    said ?? withHeld(tree.hold([file]), (held) => parquetRange(held.absolute(file), 'episode_index', file))
  );
}
