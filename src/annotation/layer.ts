import type { ExportFormatId, LayerId, LayerMode, ModelSurfaceId } from '#contract';
import type { Kind } from '#episode';
import type { Knob, KnobValue } from './knob.ts';

/** Values of a layer's knobs, each within its bounds. */
export type LayerConfig = Readonly<Record<string, KnobValue>>;

/** What the time that a layer takes depends on, of an episode or on average. */
export interface EpisodeSize {
  readonly duration_s: number;
  readonly cameras: number;
}

/** A kind of annotation: what it adds, to what, and how it is judged. */
export interface LayerRow {
  readonly id: LayerId;
  readonly title: string;
  /** What an episode holds afterwards. */
  readonly produces: string;
  /** What its models are used for; none where signals alone suffice. */
  readonly surfaces: readonly ModelSurfaceId[];
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
}

export const anyMode: readonly LayerMode[] = ['in_run', 'on_demand', 'off'];
export const heavyModes: readonly LayerMode[] = ['on_demand', 'off'];

/** Pictures that are looked at when each camera is sampled at `hz`; a still picture counts as one. */
export const sampledPictures = ({ duration_s, cameras }: EpisodeSize, hz: KnobValue): number =>
  Math.max(1, Math.ceil(duration_s * Number(hz))) * cameras;

export const noPictures = 'it holds no pictures';
export const noTime = 'a still picture has no motion';
