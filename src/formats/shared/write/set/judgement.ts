import type { Receipt } from '#core/api';

/** A motion segment of an episode, in seconds since its start. */
interface EpisodeSegment {
  readonly from_s: number;
  readonly to_s: number;
  /** `moving`, `still`, … */
  readonly kind: string;
}

/** A caption of a time span of an episode, in seconds since its start. */
interface EpisodeCaption {
  readonly from_s: number;
  readonly to_s: number;
  readonly text: string;
}

/** Who wrote an annotation: a layer, or a person over its result. */
export type AnnotationSource = 'machine' | 'person';

/** Description of an episode. */
export interface EpisodeText {
  readonly text: string;
  readonly source: AnnotationSource;
}

/** Segmentation mask of one class in a picture. */
export interface PictureMask {
  readonly label: string;
  readonly pixels: number;
  /** Run-length encoding as in COCO. */
  readonly rle: { readonly size: readonly [height_px: number, width_px: number]; readonly counts: string };
}

/** Annotations of an episode. */
export interface EpisodeAnnotations {
  /** `null` if the layer is missing. */
  readonly segments: readonly EpisodeSegment[] | null;
  readonly captions: readonly EpisodeCaption[];
  /** Dense text; a person's version takes precedence over the machine's. `null` if there is none. */
  readonly text: EpisodeText | null;
  /** Masks by picture; the key is `CAMERA INDEX`, with the index in the camera's stream. */
  readonly masks: ReadonlyMap<string, readonly PictureMask[]>;
  readonly sightings: Readonly<Partial<Record<DetectionLayer, LayerDetections>>>;
}

/** Assay's judgement of an episode: receipt, motion segments and annotations. */
export interface Judgement extends Pick<EpisodeAnnotations, 'captions' | 'text'> {
  readonly receipt: Pick<Receipt, 'content_hash' | 'decision' | 'score' | 'flags' | 'findings'>;
  readonly segments: readonly EpisodeSegment[];
}

/** Run-length encoded mask as in COCO. */
interface Rle {
  readonly size: readonly [height_px: number, width_px: number];
  readonly counts: string;
}

/** Annotation layers with detections in pictures. */
export const detectionLayers = ['object_labels', 'tracks', 'body_pose', 'hand_pose'] as const;
/** Id of an annotation layer with detections. */
export type DetectionLayer = (typeof detectionLayers)[number];

/** A detection in a picture, in px of the recorded picture; members are null if the layer does not provide them. */
export interface LayerDetection {
  /** Id of the object, equal in all pictures of a camera. */
  readonly track_id: number | null;
  readonly label: string | null;
  /** Confidence, 0..1. */
  readonly score: number | null;
  /** Confidence of the label, 0..1. */
  readonly label_score: number | null;
  readonly box: readonly [x_px: number, y_px: number, width_px: number, height_px: number] | null;
  /** x and y of each point, and its confidence if the layer provides it. */
  readonly points: readonly (readonly number[])[] | null;
  readonly mask: Rle | null;
  /** Size of the picture. */
  readonly size_px: readonly [width_px: number, height_px: number];
}

/** Detections of a layer in an episode. */
export interface LayerDetections {
  /** Detections by picture; the key is `CAMERA INDEX`, with the index in the camera's stream. */
  readonly at: ReadonlyMap<string, readonly LayerDetection[]>;
  /** Names of `points`, in order; `null` if they have none. */
  readonly point_names: readonly string[] | null;
}
