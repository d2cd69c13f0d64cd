import type { Frames, RawLayout } from '#core/episode';

/** A picture that was read out of a recording into a file of its own. */
export interface SpooledPicture {
  /** Row of the stream. */
  readonly index: number;
  /** Since the start of the episode. */
  readonly time_s: number;
  /** Decoding can start here. */
  readonly key: boolean;
  /** In the spool. */
  readonly offset: number;
  readonly bytes: number;
  readonly layout?: RawLayout;
}

/** Pictures of a recording, one behind the other in a file, in the order of recording. */
export interface PictureSpool {
  readonly path: string;
  readonly pictures: readonly SpooledPicture[];
}

/** Part of a camera of one episode, as a film that browsers play. Structured-cloneable: it crosses a process boundary. */
export interface FilmRequest {
  /** Absolute folder that the locator's paths start from. */
  readonly root: string;
  /** Folder that links of these files may lead into, which holds the root; absent: the root alone. */
  readonly within?: string;
  readonly frames: Frames;
  /** Where no stamps are given: frame k is at k / declared_rate_hz (1 Hz when null). */
  readonly declared_rate_hz: number | null;
  /** When each frame was taken, since the start of the episode. Video that has stamps of its own goes by those. */
  readonly stamps_s: Float64Array | null;
  /** Of embedded pictures only. */
  readonly spool?: PictureSpool;
  /** Seconds since the start of the episode; `until_s` is exclusive, null: to the end. */
  readonly from_s: number;
  readonly until_s: number | null;
  /** `recorded`: packets are copied where a browser may play them, else coded anew. `h264`: only H.264 is copied. */
  readonly codec: FilmCodec;
  /** Of what is coded anew; never enlarged. */
  readonly longest_side_px: number;
  /** Absolute path of the MP4 that is written; what lies there is written over. */
  readonly target: string;
}

export type FilmCodec = 'recorded' | 'h264';

/** An MP4 that was made. */
export interface Film {
  /** When its first frame, which it shows at 0, was taken: seconds since the start of the episode. */
  readonly starts_s: number;
  readonly frames: number;
  /** Frames of the recording that do not decode and are not in it; of copied packets nobody knows. */
  readonly undecoded: number | null;
  /** `copied`: the recording's own packets. */
  readonly made: 'copied' | 'encoded';
  /** As `canPlayType` takes it. */
  readonly mime: string;
  readonly size_px: readonly [width: number, height: number];
  /** Processor time that it took. */
  readonly cpu_s: number;
}

/** What is known of a film before it is made. */
export interface FilmFacts {
  /** As the recording has it, such as `h264`, `hevc`, `jpeg`; null: it does not say. */
  readonly codec: string | null;
  /** Media type of the packets that `recorded` copies; null: they are coded anew. */
  readonly mime: string | null;
  readonly size_px: readonly [width: number, height: number] | null;
  readonly rate_hz: number | null;
  readonly frames: number;
  /** When the first and the last frame were taken, since the start of the episode; null: nobody knows. */
  readonly starts_s: number | null;
  readonly last_s: number | null;
}
