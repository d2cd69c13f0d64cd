import { significant } from '#core';
import type { Episode, EpisodeCut } from '#core/episode';

/**
 * Value of `EpisodeCut.ends` for a part that was closed because of the memory limit, and of `begins` for the next part.
 */
export const memoryCut = 'memory';

/** Builds the `EpisodeCut` of each part of a recording that the reader had to split. */
export class PartCutBuilder {
  readonly #recording: string;
  #first: bigint | null = null;
  #parts = 0;
  #end_s = 0;

  constructor(recording: string) {
    this.#recording = recording;
  }

  /**
   * Returns the cut of the next part, in seconds from the start of the recording's first part; `hasNext`: another part
   * follows. Parts without a start time begin where the previous one ends.
   */
  next({ start_ns, duration_s }: Pick<Episode, 'start_ns' | 'duration_s'>, hasNext: boolean): EpisodeCut {
    const start = start_ns === null ? null : BigInt(start_ns);
    this.#first ??= start;
    const from_s = start === null || this.#first === null ? this.#end_s : Number(start - this.#first) / 1e9;
    this.#end_s = from_s + duration_s;
    this.#parts++;
    return {
      recording: this.#recording,
      part: this.#parts,
      from_s: significant(from_s, 9),
      to_s: significant(this.#end_s, 9),
      begins: this.#parts === 1 ? 'recording' : memoryCut,
      ends: hasNext ? memoryCut : 'recording',
      recipe: null,
    };
  }
}

/** Bytes of a recording that a look reads: topics, types and rates show within the first seconds. */
export const maxLookBytes = 4 * 1024 * 1024;

/** Value of `EpisodeCut.ends` for an episode that a look cut off at `maxLookBytes`. */
export const lookCut = 'look';

/** Returns how many bytes a look reads of a unit of this size: at most 4 MiB. */
export function computeLookBytes(bytes: number): number {
  return Math.min(bytes, maxLookBytes);
}
