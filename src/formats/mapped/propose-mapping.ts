import { openSourceTree, type RecordingsSource } from '#io/sources';
import type { MappingProposal } from './propose/index.ts';

/**
 * Proposes a mapping file for the tables of a folder. Throws `not_found`, `not_recognised` where there is no table of
 * numbers, and what makes the first one unreadable. What it takes is loaded only then.
 */
export async function proposeMapping(source: RecordingsSource): Promise<MappingProposal> {
  const { proposeMapping: propose } = await import('./propose/index.ts');
  return propose(await openSourceTree(source));
}
