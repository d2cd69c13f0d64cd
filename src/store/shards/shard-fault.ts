import { AssayError, messageOf } from '#core';

/** What the engine threw over a shard, as `storage_unavailable`. */
export function shardFault(thrown: unknown, path: string): AssayError {
  if (thrown instanceof AssayError) return thrown;
  const full = /No space left|ENOSPC|EDQUOT/.test(messageOf(thrown));
  return new AssayError('storage_unavailable', `a shard cannot be written or read: ${messageOf(thrown)}`, {
    path,
    advice: full ? 'the disk is full: make room' : 'check that the data folder can be read and written',
    cause: thrown,
  });
}
