import type { ExportFormatId, JobLayerId, LayerId, LayerMode, ModelSurfaceId } from '#core/api';
import type { Kind } from '#core/episode';
import type { Knob, KnobValue, LayerConfig } from './knob.ts';
import type { Lane } from './lane.ts';

/** Size of an episode (or the mean size of several), from which layer costs are estimated. */
export interface EpisodeSize {
  readonly duration_s: number;
  readonly cameras: number;
  /** Recorded pictures of all cameras. */
  readonly pictures: number;
  /** Mean size of a picture in megapixels; `null` if unknown. */
  readonly picture_mpx: number | null;
}

/** Frames that a layer requests. */
export interface FrameNeeds {
  /** `first`: only the first camera that the episode lists. */
  readonly cameras: 'all' | 'first';
  /** Maximum frames per second, selected by the recorded timestamps. */
  readonly rate_hz: number;
  /** Larger frames are scaled down to this size in px; smaller ones are not enlarged. */
  readonly longest_side_px: number;
}

/** Inputs that a layer needs. */
export interface LayerNeeds {
  /** Whether it reads the episode's numeric streams. */
  readonly signals: boolean;
  /** Returns the frames it needs; `null` if it uses no pictures. */
  readonly frames: ((config: LayerConfig) => FrameNeeds) | null;
  /** It also gives output without frames, and requests frames only if it needs them. */
  readonly frames_optional?: true;
  /** Frames it sends to a vision endpoint, if one is selected; it then uses no other frames. */
  readonly vision?: (config: LayerConfig) => FrameNeeds;
  /** Returns how many recorded depth frames per second it needs at most; absent if it reads no depth cameras. */
  readonly distances?: (config: LayerConfig) => Pick<FrameNeeds, 'rate_hz'>;
  /** Layers whose output it uses if the episode carries them; they run before it. */
  readonly layers: readonly LayerId[];
  /** Like `layers`, but read only after the last frame; all layers of a run share one pass over the frames. */
  readonly layers_after_frames?: readonly LayerId[];
  /** Models and algorithms it uses, in the order in which an annotation names them; it can open no others. */
  readonly models: readonly ModelNeed[];
}

/** Use of a model or an algorithm by a layer. */
interface ModelNeed {
  readonly surface: ModelSurfaceId;
  /** Set if the layer also gives output without it. */
  readonly optional?: true;
  /** Returns whether the layer uses it with these settings. Default: always. */
  readonly when?: (config: LayerConfig) => boolean;
}

/** Estimated token usage. */
export interface PlannedTokens {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

/** Scarcest resource that a layer uses: CPU only, frame decoders, or models. */
export type ResourceClass = 'cpu' | 'frames' | 'model';

/** Catalogue entry of an annotation layer: what it produces, its requirements, settings and quality signal. */
export interface LayerRow<Id extends JobLayerId = LayerId> {
  readonly id: Id;
  readonly title: string;
  /** Description of the output. */
  readonly produces: string;
  readonly needs: LayerNeeds;
  /** Data kinds that cannot carry the layer, each with the reason; all other kinds can. */
  readonly unfit: Readonly<Partial<Record<Kind, string>>>;
  /** Quality signal, 0 to 1, and how it is computed. */
  readonly quality: { readonly signal: string; readonly how: string };
  /** Export formats that include the layer. */
  readonly exports: readonly ExportFormatId[];
  /** Modes it can be set to; empty if the layer is not served. */
  readonly modes: readonly LayerMode[];
  /** Mode if neither settings nor the use case set one. */
  readonly fallback: LayerMode;
  /** Reason why the layer is in the catalogue but cannot run; `null` if it can. */
  readonly not_served: string | null;
  readonly knobs: Readonly<Record<string, Knob>>;
  /** Planned compute time for one episode on one core in seconds, without decoding; measured rates correct it. */
  readonly planned_compute_s: (size: EpisodeSize, config: LayerConfig) => number;
  /** Estimated tokens for one episode if a vision endpoint is selected; deliberately high. */
  readonly planned_tokens?: (size: EpisodeSize, config: LayerConfig) => PlannedTokens;
  /** Implementation; `null` if this version has none. */
  readonly lane: Lane | null;
}

/** Work that a job can run: a layer of the catalogue, or the review of layer output. */
export type JobLayerRow = LayerRow<JobLayerId>;

/** Returns the scarcest resource that a layer needs: `model`, else `frames` unless they are optional, else `cpu`. */
export function resourceClassOf({ needs }: Pick<LayerRow, 'needs'>): ResourceClass {
  if (needs.models.length > 0) return 'model';
  return needs.frames === null || needs.frames_optional === true ? 'cpu' : 'frames';
}

/** Returns the surfaces whose models or algorithms a layer uses, optional ones included. */
export const surfacesOf = ({ needs }: Pick<LayerRow, 'needs'>): readonly ModelSurfaceId[] =>
  needs.models.map(({ surface }) => surface);

/** Returns all layers whose output a layer uses. */
export const inputLayers = ({ needs }: Pick<LayerRow, 'needs'>): readonly LayerId[] => [
  ...needs.layers,
  ...(needs.layers_after_frames ?? []),
];

/**
 * Returns a layer's frame request, the one for a vision endpoint if `usesEndpoint` and there is one; `null` if it
 * uses no frames.
 */
export const frameNeeds = ({ needs }: Pick<LayerRow, 'needs'>, usesEndpoint: boolean): LayerNeeds['frames'] =>
  (usesEndpoint ? needs.vision : undefined) ?? needs.frames;

/**
 * Creates a frame request for all cameras at the layer setting `sample_hz`, scaled to `longest_side_px` (default: the
 * layer setting `max_side_px`).
 */
export const sampledFrames =
  (longest_side_px?: number): NonNullable<LayerNeeds['frames']> =>
  ({ sample_hz, max_side_px }) => ({
    cameras: 'all',
    rate_hz: Number(sample_hz),
    longest_side_px: longest_side_px ?? Number(max_side_px),
  });

/** All modes. */
export const allModes: readonly LayerMode[] = ['in_run', 'on_demand', 'off'];
/** Modes of expensive layers, which never run in every run. */
export const onDemandModes: readonly LayerMode[] = ['on_demand', 'off'];

/** Decoding time in seconds per megapixel (H.264, one core), and picture size where it is unknown (640 x 480). */
const decoding_s_per_mpx = 0.004;
const usualPicture_mpx = 0.3;

/**
 * Returns the planned compute time of a layer on one episode in seconds, including the decoding of its frames unless
 * they are optional.
 */
export function plannedSeconds(
  { needs, planned_compute_s }: Pick<JobLayerRow, 'needs' | 'planned_compute_s'>,
  size: EpisodeSize,
  config: LayerConfig,
): number {
  const own_s = planned_compute_s(size, config);
  if (needs.frames === null || needs.frames_optional === true) return own_s;
  const decoded = needs.frames(config).cameras === 'all' ? 1 : 1 / Math.max(1, size.cameras);
  return own_s + size.pictures * decoded * (size.picture_mpx ?? usualPicture_mpx) * decoding_s_per_mpx;
}

/**
 * Returns the size class of pictures in which estimates learn: the rounded binary logarithm of their megapixels;
 * `null` if the size is unknown.
 */
export const sizeClass = (picture_mpx: number | null): number | null =>
  picture_mpx === null || picture_mpx <= 0 ? null : Math.round(Math.log2(picture_mpx));

/** Returns the number of pictures at `hz` frames per second over all cameras, at least one per camera. */
export const countSampledPictures = ({ duration_s, cameras }: EpisodeSize, hz: KnobValue): number =>
  Math.max(1, Math.ceil(duration_s * Number(hz))) * cameras;

/** Reason why a kind without pictures cannot carry a layer. */
export const noPicturesReason = 'no images';
/** Reason why still pictures cannot carry a layer of motion. */
export const noMotionReason = 'still images have no motion';
