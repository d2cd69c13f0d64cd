import type { RawLayout, SampledPicture } from '#core/episode';

/** A picture of the requested stream, offered while the recording is read. */
export interface CandidatePicture {
  /** Log time from the start of the episode. */
  readonly log_ns: number;
  readonly isKey: boolean;
  readonly bytes: () => Uint8Array;
  readonly layout: RawLayout | null;
}

/** Receives the pictures of one stream while a recording is read only for them. */
export interface PictureReceiver {
  /** Other topics are not decoded. */
  readonly stream_id: string;
  /**
   * Called for each picture of the stream in file order; `picture.bytes()` must be called before this returns, since
   * the buffer is reused.
   */
  offer(picture: CandidatePicture, isVideo: boolean): void;
}

/** Seconds are stored as doubles, so log times match within a microsecond. */
const tolerance_ns = 1000;
/** Maximum buffered access units before the requested one. */
const maxUnits = 2000;
const maxBytes = 64 * 1024 * 1024;

/**
 * Finds one picture of one stream by its log time; of compressed video it also collects the units since the last
 * keyframe, which decoding needs.
 */
export class PictureFinder implements PictureReceiver {
  readonly stream_id: string;
  /** True once the picture was found; the rest of the recording need not be read. */
  found = false;
  readonly #log_ns: number;
  #buffered: SampledPicture[] = [];
  #bytes = 0;

  /** `log_ns`: log time of the picture from the start of the episode. */
  constructor(stream_id: string, log_ns: number) {
    this.stream_id = stream_id;
    this.#log_ns = log_ns;
  }

  /** Buffers the picture if it is the requested one or, of video, may be needed to decode it; sets `found`. */
  offer({ log_ns, isKey, bytes, layout }: CandidatePicture, isVideo: boolean): void {
    if (this.found) return;
    const isWanted = Math.abs(log_ns - this.#log_ns) <= tolerance_ns;
    if (isKey || this.#bytes > maxBytes || this.#buffered.length > maxUnits) this.#reset();
    if (!isWanted && !(isVideo && (isKey || this.#buffered.length > 0))) return;
    const picture = { index: this.#buffered.length, time_s: log_ns / 1e9, bytes: bytes() };
    this.#buffered.push(layout === null ? picture : { ...picture, layout });
    this.#bytes += picture.bytes.length;
    this.found = isWanted;
  }

  /** The pictures found, the requested one last; empty if it was not found. */
  get pictures(): readonly SampledPicture[] {
    return this.found ? this.#buffered : [];
  }

  #reset(): void {
    this.#buffered = [];
    this.#bytes = 0;
  }
}
