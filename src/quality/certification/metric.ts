import type { JsonObject } from '#core';
import type { CertificationMetricId, MetricBounds, Receipt } from '#core/api';

/** Evidence of one episode: its receipt, its annotations, and whether its dataset loads. */
export interface EpisodeEvidence {
  readonly receipt: Receipt;
  /** null if no canonical reader with known rules exists for the dataset's format. */
  readonly loads: LoadEvidence | null;
  /** null if the episode was not annotated. */
  readonly annotations: AnnotationEvidence | null;
}

/** Outcome of loading the episode's dataset with the format's own reader. */
export interface LoadEvidence {
  readonly reader: string;
  readonly loads: 'yes' | 'no';
  readonly why: readonly {
    readonly rule: string;
    readonly does: string;
    readonly episodes: number | null;
  }[];
}

/** Evidence from the annotation layers of an episode. */
export interface AnnotationEvidence {
  /** Windows of the captions layer, in order; null if the layer has no output. */
  readonly captions: readonly CaptionWindow[] | null;
  /** Reason why the captions layer has no output; null if it has, or was not run. */
  readonly captions_reason: string | null;
  /** Verdicts of a vision model on these windows, or the reason why it was not asked. */
  readonly agreement:
    | { readonly model: string; readonly windows: readonly JudgedWindow[] }
    | { readonly not_assessable: string };
  /** Layers that the settings request, and layers that the episode has. */
  readonly layers: { readonly wanted: readonly string[]; readonly produced: readonly string[] };
}

/** Caption with its time window, in seconds since the episode's start. */
export interface CaptionWindow {
  readonly from_s: number;
  readonly to_s: number;
  readonly text: string;
}

/** Caption window with the verdict of a vision model. */
export interface JudgedWindow extends CaptionWindow {
  readonly judged: 'match' | 'mismatch' | 'unclear';
  readonly note: string;
}

/**
 * Strength of evidence: `high` from all data, `medium` from a sample or an indirect sign, `low` too weak to decide.
 */
type Confidence = 'high' | 'medium' | 'low';

/** Value that a metric observed in one episode, or the reason why there is none. */
export type Observation =
  | {
      readonly observed: number;
      readonly confidence: Confidence;
      readonly inputs: JsonObject;
      readonly provenance: string;
      readonly diagnostics?: JsonObject;
    }
  | { readonly not_assessable: string };

/** Observation with the id of its episode. */
export interface EpisodeObservation {
  readonly episode: string;
  readonly observation: Observation;
}

interface SetConclusion {
  /** One observation per episode in the same order, revised by comparison with the other episodes. */
  readonly observations: readonly Observation[];
  readonly diagnostics: readonly string[];
}

/** Certification metric; pure function of the evidence. */
export interface Metric {
  readonly id: CertificationMetricId;
  readonly title: string;
  readonly unit: string;
  readonly direction: MetricBounds['direction'];
  /** Formula in words, complete enough to recompute the value by hand. */
  readonly formula: string;
  /** Inputs of the formula and their origin. */
  readonly inputs: string;
  /** Thresholds in the default policies. */
  readonly boundaries: Pick<MetricBounds, 'ideal' | 'review' | 'allowed_share' | 'source'>;
  /**
   * Measures one episode. `need`: whether the policy requires the metric. Metrics of annotations made by Assay give a value
   * only if the policy requires them, because otherwise nobody has asked for these annotations to be complete.
   */
  observe(evidence: EpisodeEvidence, need: MetricBounds['need']): Observation;
  /** Revises the observations by comparing all episodes of the set. Absent: they stand as they are. */
  conclude?(observations: readonly EpisodeObservation[]): SetConclusion;
}

/** Creates an observation without a value, which states the reason. */
export const notAssessable = (reason: string): Observation => ({ not_assessable: reason });
