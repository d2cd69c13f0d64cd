import { newId } from '#core';
import type { RunBrief } from '../steps/messages.ts';

/** A key that nobody else writes, in the order of time; a unit that is done again gets another. */
export function blobName({ blob_prefix }: Pick<RunBrief, 'blob_prefix'>, what: string): string {
  return `${blob_prefix}/${what}/${newId('blb')}`;
}
