import { AssayError } from '#core';
import type { SourceTree } from '#io/sources';
import { parseMapping } from '../mapping.ts';
import { mappingFiles } from '../mapping-files.ts';
import { guessMapping, readColumnFacts } from './guesses.ts';
import { detectLayout, mappingText } from './write-mapping.ts';

/** A proposed mapping and its file name. */
export interface MappingProposal {
  readonly name: string;
  readonly text: string;
  /** Number of lines that a person must check. */
  readonly checks: number;
}

/**
 * Proposes a mapping from the names and first rows of the tables.
 * @throws AssayError `not_recognised` if there is no table of numbers
 */
export async function proposeMapping(tree: SourceTree): Promise<MappingProposal> {
  const layout = detectLayout(tree);
  if (layout === null) throw noTableError(tree.label, 'the folder has no CSV or Parquet file');
  const guesses = guessMapping(await readColumnFacts(tree, layout.sample), layout.is_single);
  if (guesses.streams.length === 0) throw noTableError(tree.label, `${layout.sample} has no numeric columns`);
  const text = mappingText(layout, guesses);
  const [name] = mappingFiles;
  parseMapping(text, name);
  return { name, text, checks: text.split('\n').filter((line) => line.includes('CHECK')).length - 1 };
}

function noTableError(path: string, why: string): AssayError {
  return new AssayError('not_recognised', `cannot propose a mapping for ${path}: ${why}`, {
    path,
    advice: 'pass a folder of signal tables with column names in the first line',
  });
}
