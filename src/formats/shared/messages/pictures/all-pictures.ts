import type { OfferedPicture, WantedPictures } from './wanted-picture.ts';

/** A picture that came by, with its row in the episode. */
export interface TakenPicture extends OfferedPicture {
  readonly row: number;
}

const ns_per_us = 1000;

/** Takes every picture of one stream of an episode as the recording is walked; rows are told by log times. */
export class AllPictures implements WantedPictures {
  readonly stream_id: string;
  readonly #taken: { row: number; bytes: Uint8Array; picture: OfferedPicture }[] = [];
  /** By microsecond since the start of the episode: rows that were written down then, and did not come by yet. */
  readonly #rows = new Map<number, number[]>();

  /** `log_s`: when each row was written down, since the start of the episode. */
  constructor(stream_id: string, log_s: Float64Array) {
    this.stream_id = stream_id;
    for (const [row, time] of log_s.entries()) {
      const at_us = Math.round(time * 1e6);
      const own = this.#rows.get(at_us);
      if (own === undefined) this.#rows.set(at_us, [row]);
      else own.push(row);
    }
  }

  /** Rows that are still to come. */
  get awaited(): number {
    return this.#rows.size;
  }

  offer(picture: OfferedPicture): void {
    const row = this.#rowAt(Math.round(picture.log_ns / ns_per_us));
    // What the bytes lie in is used again after the message.
    if (row !== null) this.#taken.push({ row, bytes: picture.bytes(), picture });
  }

  /** What came by since it was last asked. */
  take(): TakenPicture[] {
    return this.#taken.splice(0).map(({ row, bytes, picture }) => ({ ...picture, row, bytes: () => bytes }));
  }

  /** Seconds are kept as doubles: a log time comes back within a microsecond. */
  #rowAt(at_us: number): number | null {
    for (const near_us of [at_us, at_us - 1, at_us + 1]) {
      const own = this.#rows.get(near_us);
      const row = own?.shift();
      if (own?.length === 0) this.#rows.delete(near_us);
      if (row !== undefined) return row;
    }
    return null;
  }
}
