import type { KeptPicture, PictureEncoding } from '#core/episode';

/** Three bytes a pixel, upright, rows from the top. */
export interface RgbFrame {
  readonly width_px: number;
  readonly height_px: number;
  readonly rgb: Uint8Array;
}

/** A picture as its recording has it: a file (`jpeg`, `png`, …), an access unit of video, or pixels with a layout. */
export interface RecordedPicture extends KeptPicture {
  readonly encoding: PictureEncoding;
}

/** The pictures of one camera of one episode. Places count them in the order of the stream. */
export interface CameraPictures {
  /** What each is recorded as; `file`: coded video in a container of its own. */
  readonly coding: PictureEncoding | 'video-file';
  /** Of `video-file`: the file, absolute, and the seconds of it that are the episode's. */
  readonly file?: { readonly path: string; readonly from_s: number; readonly until_s: number };
  /** Every picture as it is recorded, in order; nothing for `video-file`. Throws `unreadable_input`. */
  recorded(): AsyncIterable<RecordedPicture>;
  /** The pictures at these places, which rise, decoded. Throws where one of them cannot be. */
  decoded(places: ReadonlySet<number>): AsyncIterable<readonly [place: number, picture: RgbFrame]>;
}
