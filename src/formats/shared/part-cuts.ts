import { significant } from '#core';
import type { Episode, EpisodeCut } from '#core/episode';

/** `ends` of a part that its reader closed because no more could be held, and `begins` of the next. */
export const memoryCut = 'memory';

/** Says of the parts of one recording, which its reader had to cut, where in it they lie. */
export class PartCuts {
  readonly #recording: string;
  #first: bigint | null = null;
  #parts = 0;
  #end_s = 0;

  constructor(recording: string) {
    this.#recording = recording;
  }

  /** The next part; `goesOn`: another follows. Without an epoch, parts are laid one behind the other. */
  next({ start_ns, duration_s }: Pick<Episode, 'start_ns' | 'duration_s'>, goesOn: boolean): EpisodeCut {
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
      ends: goesOn ? memoryCut : 'recording',
      recipe: null,
    };
  }
}
