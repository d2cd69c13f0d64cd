import type { JsonObject } from '#core';
import type { CertificationMetricId, MetricBounds, Receipt } from '#core/api';

/** What certification knows of an episode: its receipt, what annotations say of it, and whether its set loads. */
export interface EpisodeEvidence {
  readonly receipt: Receipt;
  /** null: the set's format has no canonical reader whose rules are known. */
  readonly loads: LoadEvidence | null;
  /** null: nobody annotated it. */
  readonly annotations: AnnotationEvidence | null;
}

/** What the format's own reader does with the episode's set. */
export interface LoadEvidence {
  readonly reader: string;
  readonly loads: 'yes' | 'no';
  readonly why: readonly {
    readonly rule: string;
    readonly does: string;
    readonly episodes: number | null;
  }[];
}

/** What layers of annotation say of an episode. */
export interface AnnotationEvidence {
  /** Windows of the captions layer, in order; null: the layer was not produced. */
  readonly captions: readonly CaptionWindow[] | null;
  /** What a vision model said of these windows; or why it was not asked. */
  readonly agreement:
    | { readonly model: string; readonly windows: readonly JudgedWindow[] }
    | { readonly not_assessable: string };
  /** Layers that the settings ask for, and those that the episode carries. */
  readonly layers: { readonly wanted: readonly string[]; readonly produced: readonly string[] };
}

/** Seconds since the episode's start. */
export interface CaptionWindow {
  readonly from_s: number;
  readonly to_s: number;
  readonly text: string;
}

export interface JudgedWindow extends CaptionWindow {
  readonly judged: 'match' | 'mismatch' | 'unclear';
  readonly note: string;
}

/** `high`: all of it was counted. `medium`: a sample, or an indirect sign. `low`: too weak to decide by. */
type Confidence = 'high' | 'medium' | 'low';

/** What a metric sees in one episode: a number, or why there is none. */
export type Observation =
  | {
      readonly observed: number;
      readonly confidence: Confidence;
      readonly inputs: JsonObject;
      readonly provenance: string;
      readonly diagnostics?: JsonObject;
    }
  | { readonly not_assessable: string };

/** An observation and the episode it was made of. */
export interface Seen {
  readonly episode: string;
  readonly observation: Observation;
}

interface Concluded {
  /** One for each, in their order: what they are beside the others. */
  readonly observations: readonly Observation[];
  readonly diagnostics: readonly string[];
}

/** One thing that certification measures; pure over what is known of an episode. */
export interface Metric {
  readonly id: CertificationMetricId;
  readonly title: string;
  readonly unit: string;
  readonly direction: MetricBounds['direction'];
  /** From which a person can compute the value again. */
  readonly formula: string;
  /** What the formula takes, and where it comes from. */
  readonly inputs: string;
  /** Boundaries of the default policies. */
  readonly boundaries: Pick<MetricBounds, 'ideal' | 'review' | 'allowed_share' | 'source'>;
  observe(evidence: EpisodeEvidence): Observation;
  /** What the observations of all episodes say together, in the episodes' order. */
  conclude?(seen: readonly Seen[]): Concluded;
}

export const notAssessable = (reason: string): Observation => ({ not_assessable: reason });
