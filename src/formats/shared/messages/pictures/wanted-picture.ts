import type { KeptPicture, RawLayout } from '#core/episode';

/** A picture as it comes by. */
export interface OfferedPicture {
  /** From the start of the episode. */
  readonly log_ns: number;
  readonly isKey: boolean;
  readonly bytes: () => Uint8Array;
  readonly layout: RawLayout | null;
}

/** What a recording is read for, where it is not read as a whole. */
export interface WantedPictures {
  /** Topics other than this are not decoded. */
  readonly stream_id: string;
  offer(picture: OfferedPicture, isVideo: boolean): void;
}

/** Seconds are kept as doubles: a log time comes back within a microsecond. */
const tolerance_ns = 1000;
/** Units of compressed video before the wanted one; more are not held. */
const mostUnits = 2000;
const mostBytes = 64 * 1024 * 1024;

/** Waits for one picture of one stream, and keeps of compressed video what decoding it needs. */
export class WantedPicture implements WantedPictures {
  readonly stream_id: string;
  /** It came by: the rest of the recording need not be read. */
  found = false;
  readonly #log_ns: number;
  #held: KeptPicture[] = [];
  #bytes = 0;

  /** `log_ns`: when it was written down, from the start of the episode. */
  constructor(stream_id: string, log_ns: number) {
    this.stream_id = stream_id;
    this.#log_ns = log_ns;
  }

  offer({ log_ns, isKey, bytes, layout }: OfferedPicture, isVideo: boolean): void {
    if (this.found) return;
    const isWanted = Math.abs(log_ns - this.#log_ns) <= tolerance_ns;
    if (isKey || this.#bytes > mostBytes || this.#held.length > mostUnits) this.#forget();
    if (!isWanted && !(isVideo && (isKey || this.#held.length > 0))) return;
    const picture = { index: this.#held.length, time_s: log_ns / 1e9, bytes: bytes() };
    this.#held.push(layout === null ? picture : { ...picture, layout });
    this.#bytes += picture.bytes.length;
    this.found = isWanted;
  }

  /** The wanted one last; empty where it did not come by. */
  get pictures(): readonly KeptPicture[] {
    return this.found ? this.#held : [];
  }

  #forget(): void {
    this.#held = [];
    this.#bytes = 0;
  }
}
