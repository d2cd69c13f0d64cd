import { openSourceTree, type RecordingsSource } from '#io/sources';
import type { MappingProposal } from './propose/index.ts';

/**
 * Proposes a mapping file for the tables of a folder. The code for it is imported on first use.
 * @throws AssayError `not_found`, `not_recognised` if there is no table of numbers, or the error of an unreadable first
 * table
 */
export async function proposeMapping(source: RecordingsSource): Promise<MappingProposal> {
  const { proposeMapping: propose } = await import('./propose/index.ts');
  return propose(await openSourceTree(source));
}
