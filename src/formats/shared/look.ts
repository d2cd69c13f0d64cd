/** Bytes of a recording after which a look has seen enough: topics, types and rates show within the first seconds. */
export const lookLimit = 4 * 1024 * 1024;

/** `ends` of an episode that holds only what a look has read. */
export const lookCut = 'look';

/** What a look reads of a unit whose reader stops at the limit. */
export function lookBytesOf(bytes: number): number {
  return Math.min(bytes, lookLimit);
}
