import type { JsonObject } from '#core';
import type { LayerId, ModelSurfaceId, Receipt } from '#core/api';
import type { Calibration, Stream } from '#core/episode';
import type { ModelSession, VisionQuestion } from '#labels/models';
import type { LayerConfig } from './knob.ts';

/** Lane input: the episode's receipt facts and numeric streams. Frames come from the `LaneContext`. */
export interface LaneEpisode {
  readonly facts: Pick<Receipt, 'episode' | 'kind' | 'streams' | 'grippers'>;
  /** Streams as read from the recording; camera streams carry no pictures. */
  readonly streams: readonly Stream[];
  /** Camera calibrations as recorded. */
  readonly calibrations?: readonly Calibration[];
}

/** A decoded frame: upright, rows from the top. */
export interface LaneFrame {
  /** Stream id. */
  readonly camera: string;
  /** Row index in the stream. */
  readonly row: number;
  /** Seconds since the start of the episode, from the recorded timestamps. */
  readonly time_s: number;
  readonly width_px: number;
  readonly height_px: number;
  /** Picture size in the recording, before it was scaled down to the size that the layer requested. */
  readonly stored_px: readonly [width: number, height: number];
  /** RGB, three bytes per pixel. */
  readonly rgb: Uint8Array;
}

/** A requested frame that cannot be decoded. */
export interface MissingFrame {
  readonly camera: string;
  readonly row: number;
  readonly time_s: number;
  readonly reason: string;
}

/** A full-size depth frame: one raw value per pixel as recorded, rows from the top. */
export interface DistanceFrame {
  /** Stream id. */
  readonly camera: string;
  /** Row index in the stream. */
  readonly row: number;
  /** Seconds since the start of the episode, from the recorded timestamps. */
  readonly time_s: number;
  readonly width_px: number;
  readonly height_px: number;
  readonly values: Uint16Array | Float32Array;
}

/** Frames of one depth camera in time order. Batches of a camera are consecutive. */
export interface DistanceBatch {
  readonly camera: string;
  /** Encoding name from the recording (`16UC1`, `32FC1`, `16UC1; compressedDepth png`); `null` if not recorded. */
  readonly encoding: string | null;
  readonly frames: readonly DistanceFrame[];
  readonly missing: readonly MissingFrame[];
  /** Reason why the camera cannot be read at all; `null` if it can. */
  readonly unreadable: string | null;
}

/** Frames of one camera in time order. Batches of a camera are consecutive. */
export interface FrameBatch {
  readonly camera: string;
  readonly frames: readonly LaneFrame[];
  readonly missing: readonly MissingFrame[];
  /** Reason why the camera cannot be decoded at all; `null` if it can. */
  readonly unreadable: string | null;
}

/** A vision-language model that answers questions about frames. */
export interface VisionModel {
  /** Model name as written into artifacts. */
  readonly model: string;
  /**
   * Asks the model one question.
   * @throws `rate_limited` or `endpoint_unavailable` if it cannot answer now, `endpoint_failed` if it cannot answer
   * at all.
   */
  ask<Answer>(question: VisionQuestion<Answer, LaneFrame>): Promise<Answer>;
}

/** Services and settings that a lane gets besides the episode. */
export interface LaneContext {
  /** Values of all settings of the layer. */
  readonly config: LayerConfig;
  /** Aborted when the work is cancelled. */
  readonly signal: AbortSignal;
  /**
   * Iterates once over the frames that the layer declares in `needs`. Frames are decoded while iterating; the next
   * batch is decoded only when the current one has been consumed.
   * @throws `unfinished` if no decoder gave a result.
   */
  frames(): AsyncIterable<FrameBatch>;
  /**
   * Iterates over recorded depth frames, if the layer declares `needs.distances`. Frames are read while iterating.
   * @throws `unfinished` if no decoder gave a result.
   */
  distances(): AsyncIterable<DistanceBatch>;
  /**
   * Returns a loaded graph of the model selected for a surface that the layer declares; it is shared with other
   * workers. `graph` names the graph of a model with several. `null` if the model cannot run here.
   * @throws `layer_unavailable` if the model does not match its contract, `unfinished` if the host process ended
   * while loading it.
   */
  model(surface: ModelSurfaceId, graph?: string): Promise<ModelSession | null>;
  /** Returns the vision endpoint if it is the model selected for a surface that the layer declares, else `null`. */
  vision(surface: ModelSurfaceId): VisionModel | null;
  /**
   * States that the lane runs this algorithm, an option of a surface that the layer declares; the annotation then names
   * it. Models need no statement: their sessions are recorded.
   */
  useAlgorithm(surface: ModelSurfaceId, algorithm: string): void;
  /** Returns the artifact of another layer that this layer declares; `null` if the episode does not carry it. */
  output(layer: LayerId): Promise<JsonObject | null>;
  /** Reports progress. Lanes call it when they request neither frames nor models for several seconds. */
  progress(): void;
}

/** Media types of lane output parts. Masks are JSON with COCO run-length encoding. */
type PartMediaType =
  | 'application/json'
  | 'application/vnd.apache.parquet'
  | 'image/png'
  /** Raw little-endian numbers without header; the artifact describes the layout. */
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

/** One output part of a lane. */
export type LanePart = JsonPart | BytesPart;

/** Output of a lane for one episode. */
export interface LaneOutput {
  /**
   * Stored parts. The first part is the artifact (a few megabytes at most); the parts that it refers to follow. The
   * same episode and settings give the same bytes.
   */
  readonly parts: readonly [JsonPart, ...LanePart[]];
  /** Text that search indexes the episode by; absent if there is none. */
  readonly search_text?: string;
  /** Counts by item name, such as `{ segments: 7 }`. */
  readonly counts: Readonly<Record<string, number>>;
  /**
   * Reason why the layer has nothing to say about this episode; absent if it has output. The artifact is stored with the
   * reason, but the episode does not count as annotated. Detecting no object in readable frames is output.
   */
  readonly not_produced?: string;
  /** The layer's quality signal, 0 to 1; `null` if it cannot be computed for this episode. */
  readonly quality: number | null;
  /** Reason why `quality` is `null`, else `null`. */
  readonly quality_reason: string | null;
}

/** Implementation of a layer. The output depends on the input alone: a lane uses no files, clock or randomness. */
export interface Lane {
  /** Incremented whenever the same input gives different output. */
  readonly version: number;
  /**
   * Annotates one episode.
   * @throws `AssayError` with the reason if the episode cannot be annotated; other episodes continue.
   */
  readonly run: (episode: LaneEpisode, context: LaneContext) => Promise<LaneOutput>;
}

/** Name of the artifact part, the first part of every output. */
export const mainPart = 'artifact';

/** Rounds seconds to microseconds, the resolution of artifacts. */
export const roundToMicroseconds = (seconds: number): number => Math.round(seconds * 1e6) / 1e6;

/** Lane output that consists of one JSON artifact. */
export interface SignalOutput extends Omit<LaneOutput, 'parts'> {
  readonly artifact: JsonObject;
}

/** Converts a `SignalOutput` to a `LaneOutput` whose only part is the artifact as JSON. */
export const toLaneOutput = ({ artifact: json, ...rest }: SignalOutput): LaneOutput => ({
  ...rest,
  parts: [{ name: mainPart, media_type: 'application/json', json }],
});
