import { AssayError } from '#core';
import type { SourceTree } from '#io/sources';
import { parseMapping } from '../mapping.ts';
import { mappingFiles } from '../mapping-files.ts';
import { type Guesses, guessMapping } from './guesses.ts';
import { detectLayouts, type Layout } from './layout.ts';
import { readTableFacts } from './table-facts.ts';
import { mappingText } from './write-mapping.ts';

/** A proposed mapping and its file name. */
export interface MappingProposal {
  /** Absolute folder that the mapping file belongs into. */
  readonly folder: string;
  readonly name: string;
  readonly text: string;
  /** Number of lines that a person must check. */
  readonly checks: number;
  /** The proposed streams and cameras, one line each. */
  readonly summary: readonly string[];
}

/**
 * Returns the text of a mapping file for the tables of a folder, guessed from their names and first rows; writes
 * nothing, and throws `not_recognised` without a table of numbers.
 */
export async function proposeMapping(tree: SourceTree): Promise<MappingProposal> {
  const layouts = await detectLayouts(tree);
  if (layouts.length === 0)
    throw noTableError(tree.label, 'the folder has no CSV, Parquet, HDF5, zarr, JSON, NPZ or NPY file');
  const { layout, guesses } = await guessFirst(tree, layouts);
  const text = mappingText(layout, guesses);
  const [name] = mappingFiles;
  parseMapping(text, name);
  return {
    ...{ folder: tree.root, name, text, summary: summarise(guesses) },
    checks: text.split('\n').filter((line) => line.includes('CHECK')).length - 1,
  };
}

/** Returns the guesses for the first layout that has streams. */
async function guessFirst(
  tree: SourceTree,
  layouts: readonly Layout[],
): Promise<{ layout: Layout; guesses: Guesses }> {
  let fault: AssayError | null = null;
  for (const layout of layouts) {
    try {
      const settings = layout.rows === null ? {} : { rows: layout.rows };
      const facts = await readTableFacts(tree, layout.sample, settings);
      const guesses = guessMapping(facts, layout.is_single);
      if (guesses.streams.length > 0) return { layout, guesses };
      fault ??= noTableError(tree.label, `${layout.sample.path} has no numeric columns`);
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown;
      fault ??= thrown;
    }
  }
  throw fault ?? noTableError(tree.label, 'no table was found');
}

const maxSummaryNames = 4;

function summarise({ streams, cameras, task, rate, clocks }: Guesses): string[] {
  const listed = (names: readonly string[]) =>
    `${names.slice(0, maxSummaryNames).join(', ')}${names.length > maxSummaryNames ? `, … (${names.length})` : ''}`;
  const time =
    clocks.length > 0 ? clocks.map(({ value }) => value.column) : rate === null ? [] : [rate.value];
  return [
    ...streams.map(({ role, columns }) => `${role.value}: ${listed(columns)} (${role.because})`),
    ...cameras.map(({ role, column }) => `${role}: ${column.value} (${column.because})`),
    ...(task === null ? [] : [`task: ${task.value.name} (${task.because})`]),
    time.length > 0 ? `time: ${listed(time)}` : 'time: no clock and no rate were found',
  ];
}

function noTableError(path: string, why: string): AssayError {
  return new AssayError('not_recognised', `cannot propose a mapping for ${path}: ${why}`, {
    path,
    advice:
      'pass a folder of signal tables: CSV with column names in the first line, Parquet, HDF5, zarr, NPZ, NPY, or JSON with a list of records',
  });
}
