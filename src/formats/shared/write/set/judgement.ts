import type { Receipt } from '#core/api';
import type { SightingLayer, Sightings } from './sightings.ts';

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

/** The pixels of one class in a picture. */
export interface PictureMask {
  readonly label: string;
  readonly pixels: number;
  /** As COCO has it. */
  readonly rle: { readonly size: readonly [height_px: number, width_px: number]; readonly counts: string };
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
  readonly sightings: Readonly<Partial<Record<SightingLayer, Sightings>>>;
}

/** What Assay says of an episode: its receipt, the segments that its motion falls into, and what layers say. */
export interface Judgement extends Pick<Annotated, 'captions' | 'text'> {
  readonly receipt: Pick<Receipt, 'content_hash' | 'decision' | 'score' | 'flags' | 'findings'>;
  readonly segments: readonly EpisodeSegment[];
}
