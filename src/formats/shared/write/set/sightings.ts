/** Run lengths of a mask, as COCO has them. */
interface Rle {
  readonly size: readonly [height_px: number, width_px: number];
  readonly counts: string;
}

/** Layers that find things in pictures. */
export const sightingLayers = ['object_labels', 'tracks', 'body_pose', 'hand_pose'] as const;
export type SightingLayer = (typeof sightingLayers)[number];

/** A thing that a layer found in a picture, in px of the picture as it was recorded; null: the layer does not say. */
export interface Sighting {
  /** The same in all pictures of a camera. */
  readonly track_id: number | null;
  readonly label: string | null;
  /** Confidence, 0..1. */
  readonly score: number | null;
  /** That the label is right, 0..1. */
  readonly label_score: number | null;
  readonly box: readonly [x_px: number, y_px: number, width_px: number, height_px: number] | null;
  /** x and y of each point, and its confidence where the layer says it. */
  readonly points: readonly (readonly number[])[] | null;
  readonly mask: Rle | null;
  /** Of the picture. */
  readonly size_px: readonly [width_px: number, height_px: number];
}

/** What a layer found in the pictures of an episode. */
export interface Sightings {
  /** By camera and place in its stream, written `CAMERA PLACE`. */
  readonly at: ReadonlyMap<string, readonly Sighting[]>;
  /** What `points` are, in order; null: they have no names. */
  readonly point_names: readonly string[] | null;
}
