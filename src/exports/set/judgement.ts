import type { Receipt } from '#contract';

/** A span of an episode in which one thing is done, in seconds since its start. */
interface EpisodeSegment {
  readonly from_s: number;
  readonly to_s: number;
  /** `moving`, `still`, … */
  readonly kind: string;
}

/** A sentence about a span of an episode, in seconds since its start. */
interface EpisodeCaption {
  readonly from_s: number;
  readonly to_s: number;
  readonly text: string;
}

/** Run lengths of a mask, as COCO has them. */
interface Rle {
  readonly size: readonly [height_px: number, width_px: number];
  readonly counts: string;
}

/** The pixels of one class in a picture. */
export interface PictureMask {
  readonly label: string;
  readonly pixels: number;
  readonly rle: Rle;
}

/** One object in a picture. */
export interface PictureObject {
  readonly label: string;
  /** Confidence, 0..1. */
  readonly score: number;
  readonly box: readonly [x_px: number, y_px: number, width_px: number, height_px: number];
  /** Null: it has no outline. */
  readonly mask: Rle | null;
  /** Of the picture that it was found in. */
  readonly size_px: readonly [width_px: number, height_px: number];
}

/** What annotation layers say of an episode. */
export interface Annotated {
  /** Null: the layer is not there. */
  readonly segments: readonly EpisodeSegment[] | null;
  readonly captions: readonly EpisodeCaption[];
  /** The dense text, a person's before the machine's. */
  readonly text: string | null;
  /** Of pictures, by camera and place in its stream, written `CAMERA PLACE`. */
  readonly masks: ReadonlyMap<string, readonly PictureMask[]>;
  /** Likewise. */
  readonly objects: ReadonlyMap<string, readonly PictureObject[]>;
}

/** What Assay says of an episode: its receipt, the segments that its motion falls into, and what layers say. */
export interface Judgement extends Pick<Annotated, 'captions' | 'text'> {
  readonly receipt: Pick<Receipt, 'content_hash' | 'decision' | 'score' | 'flags' | 'findings'>;
  readonly segments: readonly EpisodeSegment[];
}
