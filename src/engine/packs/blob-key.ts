import { newId } from '#core';
import type { RunBrief } from '../steps/messages.ts';

/** Returns a new unique blob key `PREFIX/what/ID`, sortable by time. Retried units get a new key. */
export function newBlobKey({ blob_prefix }: Pick<RunBrief, 'blob_prefix'>, what: string): string {
  return `${blob_prefix}/${what}/${newId('blb')}`;
}
