import { AssayError } from '#core';
import { openSourceTree, type RecordingsSource } from '#io/sources';
import type { CheckOptions, MappingCheck } from '../mapped/check-mapping.ts';
import { findTopicMappingFile } from '../mapped/mapping-files.ts';
import type { MappingProposal } from '../mapped/propose/index.ts';
import type { TopicProposalOptions } from './propose-topics.ts';

/**
 * Returns the text of a proposed mapping file, without writing it, for the folder's tables, else for topics of its MCAP
 * files and bags; throws `not_recognised` if there is nothing to map. The code for it is imported on first use.
 * @throws AssayError `not_found`, `not_recognised`, or the error of an unreadable first table
 */
export async function proposeMapping(
  source: RecordingsSource,
  options: TopicProposalOptions = {},
): Promise<MappingProposal> {
  const { proposeMapping: propose } = await import('../mapped/propose/index.ts');
  try {
    return await propose(await openSourceTree(source));
  } catch (thrown) {
    if (!(thrown instanceof AssayError) || thrown.code !== 'not_recognised') throw thrown;
    const { proposeTopics } = await import('./propose-topics.ts');
    const proposal = await proposeTopics(source, options).catch((fault: unknown) => {
      if (fault instanceof AssayError) return null;
      throw fault;
    });
    if (proposal === null) throw thrown;
    return proposal;
  }
}

/**
 * Reads every recording of a folder through its mapping file and returns what each stream, camera and clock contained,
 * with findings; throws without a valid mapping. The code for it is imported on first use.
 * @throws AssayError `not_found` without a mapping, `unreadable_input` if it is invalid or matches no recording
 */
export async function checkMapping(source: RecordingsSource, options: CheckOptions): Promise<MappingCheck> {
  if (options.mapping === undefined) {
    const tree = await openSourceTree(source);
    const topics = await findTopicMappingFile(tree);
    if (topics !== null) {
      const { checkTopics } = await import('./check-topics.ts');
      return checkTopics(tree, topics, source, options);
    }
  }
  const { checkMapping: check } = await import('../mapped/check-mapping.ts');
  return check(source, options);
}
