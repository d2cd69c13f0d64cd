import type { JsonObject } from '#core';
import type { LayerId, ModelSurfaceId, Receipt } from '#core/api';
import type { Calibration, Stream } from '#core/episode';
import type { ModelSession, VisionQuestion } from '#labels/models';
import type { LayerConfig } from './knob.ts';

/** An episode as a lane sees it: what its receipt says of it, and its numbers. Frames come with the context. */
export interface LaneEpisode {
  readonly facts: Pick<Receipt, 'episode' | 'kind' | 'streams' | 'grippers'>;
  /** As its reader gave them; cameras come without pictures. */
  readonly streams: readonly Stream[];
  /** Of its cameras, as recorded. */
  readonly calibrations?: readonly Calibration[];
}

/** A decoded frame, upright, rows from the top. */
export interface LaneFrame {
  /** Id of the stream. */
  readonly camera: string;
  /** Place in the stream. */
  readonly row: number;
  /** Since the start of the episode, by the recorded stamps. */
  readonly time_s: number;
  readonly width_px: number;
  readonly height_px: number;
  /** Of the picture in the recording, before it was reduced to the size that the layer wants. */
  readonly stored_px: readonly [width: number, height: number];
  /** Three bytes a pixel. */
  readonly rgb: Uint8Array;
}

/** A frame that was wanted and cannot be decoded. */
export interface MissingFrame {
  readonly camera: string;
  readonly row: number;
  readonly time_s: number;
  readonly reason: string;
}

/** What a depth camera measured at a time, in full size: a number a pixel, as recorded, rows from the top. */
export interface DistanceFrame {
  /** Id of the stream. */
  readonly camera: string;
  /** Place in the stream. */
  readonly row: number;
  /** Since the start of the episode, by the recorded stamps. */
  readonly time_s: number;
  readonly width_px: number;
  readonly height_px: number;
  readonly values: Uint16Array | Float32Array;
}

/** The same of one depth camera, in order of time; cameras follow one another. */
export interface DistanceBatch {
  readonly camera: string;
  /** As the recording names it (`16UC1`, `32FC1`, `16UC1; compressedDepth png`); null where it does not. */
  readonly encoding: string | null;
  readonly frames: readonly DistanceFrame[];
  readonly missing: readonly MissingFrame[];
  /** Why nothing of the camera can be read; null where something can. */
  readonly unreadable: string | null;
}

/** Frames of one camera, in order of time; cameras follow one another. */
export interface FrameBatch {
  readonly camera: string;
  readonly frames: readonly LaneFrame[];
  readonly missing: readonly MissingFrame[];
  /** Why nothing of the camera can be decoded; null where something can. */
  readonly unreadable: string | null;
}

/** A model that is asked about frames, in words. */
export interface VisionModel {
  /** As artifacts name it. */
  readonly model: string;
  /** Throws `rate_limited` and `endpoint_unavailable` where it cannot answer now, `endpoint_failed` where it cannot at all. */
  ask<Answer>(question: VisionQuestion<Answer, LaneFrame>): Promise<Answer>;
}

/** What a lane works with, besides the episode. */
export interface LaneContext {
  /** Every knob of the layer. */
  readonly config: LayerConfig;
  /** The work is not wanted any more. */
  readonly signal: AbortSignal;
  /**
   * The frames that the layer's row declares, once, decoded while they are read: the next batch waits until this one is
   * done with. Throws `unfinished` where no decoder came to an answer.
   */
  frames(): AsyncIterable<FrameBatch>;
  /** What depth cameras recorded, where the layer's row declares it; read while it is asked for. Throws `unfinished`. */
  distances(): AsyncIterable<DistanceBatch>;
  /**
   * The model in effect for a surface that the layer's row declares, loaded and shared with the other workers; of one with
   * several graphs, the one that is named. Null: it cannot be run here. Throws `layer_unavailable` where it is not what its
   * contract says, `unfinished` where loading it ended the host process.
   */
  model(surface: ModelSurfaceId, graph?: string): Promise<ModelSession | null>;
  /** The vision endpoint, where it is the model in effect for a surface that the layer's row declares; null: it is not. */
  vision(surface: ModelSurfaceId): VisionModel | null;
  /** What a layer that the row declares says of the episode; null where the episode does not carry it. */
  output(layer: LayerId): Promise<JsonObject | null>;
  /** It has come further; to be called where no frame and no model is asked for during seconds. */
  progress(): void;
}

/** Media types of what lanes write; masks are JSON, in run lengths as COCO has them. */
type PartMediaType =
  | 'application/json'
  | 'application/vnd.apache.parquet'
  | 'image/png'
  /** Numbers without header, least significant byte first; the artifact says how they are laid out. */
  | 'application/octet-stream';

interface JsonPart {
  readonly name: string;
  readonly media_type: 'application/json';
  readonly json: JsonObject;
}

interface BytesPart {
  readonly name: string;
  readonly media_type: Exclude<PartMediaType, 'application/json'>;
  readonly bytes: Uint8Array;
}

export type LanePart = JsonPart | BytesPart;

/** What a lane has to say of one episode. */
export interface LaneOutput {
  /**
   * What is kept. The first part is the artifact, of at most a few megabytes; parts that it needs lie beside it. The same
   * episode and knobs give the same bytes.
   */
  readonly parts: readonly [JsonPart, ...LanePart[]];
  /** What it says in words, for search to find the episode by; absent: nothing. */
  readonly says?: string;
  /** How many of what it holds: `{ segments: 7 }`. */
  readonly counts: Readonly<Record<string, number>>;
  /** The layer's quality signal, 0 to 1; null where this episode does not let it be told. */
  readonly quality: number | null;
  /** Why the signal cannot be told; null where it is. */
  readonly quality_reason: string | null;
}

/** The work behind a layer. What it gives follows from its input alone: it reads no file, no clock and no randomness. */
export interface Lane {
  /** One more whenever the same input gives other output. */
  readonly version: number;
  /** Surfaces without whose model it cannot be run at all. */
  readonly requires: readonly ModelSurfaceId[];
  /** Throws `AssayError` with the reason where an episode cannot be annotated; the others go on. */
  readonly run: (episode: LaneEpisode, context: LaneContext) => Promise<LaneOutput>;
}

/** The name of the first part. */
export const mainPart = 'artifact';
