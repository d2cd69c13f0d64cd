import { AssayError } from '#core';
import type { SourceTree } from '#io/sources';
import { parseMapping } from '../mapping.ts';
import { mappingFiles } from '../mapping-files.ts';
import { guess, lookAtColumns } from './guesses.ts';
import { layoutOf, mappingText } from './write-mapping.ts';

/** A proposed mapping and what it is called. */
export interface MappingProposal {
  readonly name: string;
  readonly text: string;
  /** Lines that a person must look at. */
  readonly checks: number;
}

/** Proposes a mapping from names and first rows. Throws `not_recognised` where there is no table of numbers. */
export async function proposeMapping(tree: SourceTree): Promise<MappingProposal> {
  const layout = layoutOf(tree);
  if (layout === null) throw noTable(tree.label, 'there is no CSV or Parquet file in it');
  const guesses = guess(await lookAtColumns(tree, layout.sample), layout.is_single);
  if (guesses.streams.length === 0) throw noTable(tree.label, `${layout.sample} holds no columns of numbers`);
  const text = mappingText(layout, guesses);
  const [name] = mappingFiles;
  parseMapping(text, name);
  return { name, text, checks: text.split('\n').filter((line) => line.includes('CHECK')).length - 1 };
}

function noTable(path: string, why: string): AssayError {
  return new AssayError('not_recognised', `a mapping of ${path} cannot be proposed: ${why}`, {
    path,
    advice: 'pass the folder that holds the tables of signals, their names in the first line',
  });
}
