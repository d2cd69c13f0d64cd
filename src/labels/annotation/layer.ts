import type { ExportFormatId, JobLayerId, LayerId, LayerMode, ModelSurfaceId } from '#core/api';
import type { Kind } from '#core/episode';
import type { Knob, KnobValue, LayerConfig } from './knob.ts';
import type { Lane } from './lane.ts';

/** What the time that a layer takes depends on, of an episode or on average. */
export interface EpisodeSize {
  readonly duration_s: number;
  readonly cameras: number;
}

/** Frames that a layer looks at. */
export interface FrameNeeds {
  /** `first`: of the camera that the episode names first. */
  readonly cameras: 'all' | 'first';
  /** Frames of a second at most, chosen by the recorded stamps. */
  readonly rate_hz: number;
  /** Frames that are larger come reduced to it; smaller ones are not enlarged. */
  readonly longest_side_px: number;
}

/** What a layer's work is done with. */
export interface LayerNeeds {
  /** Whether it reads the numbers of the episode. */
  readonly signals: boolean;
  /** Null: it looks at no picture. */
  readonly frames: ((config: LayerConfig) => FrameNeeds) | null;
  /** It has something to say where no frame can be had as well, and asks for frames only where it needs them. */
  readonly frames_optional?: true;
  /** Frames that it shows to a vision endpoint, where that is its model; it looks at no others. */
  readonly vision?: (config: LayerConfig) => FrameNeeds;
  /** Whether it takes what depth cameras recorded, and how often of a second at most. */
  readonly distances?: (config: LayerConfig) => Pick<FrameNeeds, 'rate_hz'>;
  /** Layers whose output it uses where the episode carries them; they are done before it. */
  readonly layers: readonly LayerId[];
  /** The same, of layers whose output it asks for once it wants no more frames: all look at frames together. */
  readonly layers_after_frames?: readonly LayerId[];
  /** What its models are used for. */
  readonly surfaces: readonly ModelSurfaceId[];
}

/** Tokens to plan with. */
export interface PlannedTokens {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

/** What a layer's work keeps busy: processors alone, decoders too, or models. */
export type ResourceClass = 'cpu' | 'frames' | 'model';

/** A kind of annotation: what it adds, to what, and how it is judged. */
export interface LayerRow<Id extends JobLayerId = LayerId> {
  readonly id: Id;
  readonly title: string;
  /** What an episode holds afterwards. */
  readonly produces: string;
  readonly needs: LayerNeeds;
  /** Kinds of data that cannot carry it, each with the reason; every other kind can. */
  readonly unfit: Readonly<Partial<Record<Kind, string>>>;
  /** The number by which its output is judged, 0 to 1, and where it comes from. */
  readonly quality: { readonly signal: string; readonly how: string };
  /** Export formats that carry it. */
  readonly exports: readonly ExportFormatId[];
  /** Modes it can be set to; none for a layer that is not served. */
  readonly modes: readonly LayerMode[];
  /** Its mode where neither settings nor the use case say otherwise. */
  readonly fallback: LayerMode;
  /** Why it cannot be run, for a layer that is catalogued only. */
  readonly not_served: string | null;
  readonly knobs: Readonly<Record<string, Knob>>;
  /**
   * Seconds of computing that one episode is expected to take on one core: a figure to plan with, not measured.
   */
  readonly planned_compute_s: (size: EpisodeSize, config: LayerConfig) => number;
  /** Tokens that a vision endpoint takes for one episode, where that is its model: more than it should need. */
  readonly planned_tokens?: (size: EpisodeSize, config: LayerConfig) => PlannedTokens;
  /** The work itself; null where this version has none. */
  readonly lane: Lane | null;
}

/** What a job can be of: a layer of the catalog, or the review of what layers made. */
export type JobLayerRow = LayerRow<JobLayerId>;

/** The scarcest of what a layer needs decides. */
export function resourceClassOf({ needs }: Pick<LayerRow, 'needs'>): ResourceClass {
  if (needs.surfaces.length > 0) return 'model';
  return needs.frames === null || needs.frames_optional === true ? 'cpu' : 'frames';
}

/** All layers whose output a layer uses. */
export const usedLayers = ({ needs }: Pick<LayerRow, 'needs'>): readonly LayerId[] => [
  ...needs.layers,
  ...(needs.layers_after_frames ?? []),
];

/** The frames that a layer looks at; null: none. `asks`: a vision endpoint is its model. */
export const framesOf = ({ needs }: Pick<LayerRow, 'needs'>, asks: boolean): LayerNeeds['frames'] =>
  (asks ? needs.vision : undefined) ?? needs.frames;

/** Frames of all cameras by the knobs `sample_hz` and, where no side is given, `max_side_px`. */
export const sampled =
  (longest_side_px?: number): NonNullable<LayerNeeds['frames']> =>
  ({ sample_hz, max_side_px }) => ({
    cameras: 'all',
    rate_hz: Number(sample_hz),
    longest_side_px: longest_side_px ?? Number(max_side_px),
  });

export const anyMode: readonly LayerMode[] = ['in_run', 'on_demand', 'off'];
export const heavyModes: readonly LayerMode[] = ['on_demand', 'off'];

/** Pictures that are looked at when each camera is sampled at `hz`; a still picture counts as one. */
export const sampledPictures = ({ duration_s, cameras }: EpisodeSize, hz: KnobValue): number =>
  Math.max(1, Math.ceil(duration_s * Number(hz))) * cameras;

export const noPictures = 'it holds no pictures';
export const noTime = 'a still picture has no motion';
