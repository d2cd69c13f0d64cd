import type { ComputeEstimate } from '#core/api';

/** Estimate of a job or run as stored when it was queued, with the values that later estimates are matched by. */
export interface StoredEstimate extends ComputeEstimate {
  /** Compute time by the formula alone, before measured rates are applied. */
  readonly planned_s: number;
  /** Exact work: layer, settings and model, or formats and source of a run. */
  readonly work: string;
  /** Similar work: layer and model, or formats of a run. */
  readonly family: string;
  /** Size class of its pictures (see `sizeClass`); null if unknown. */
  readonly size_class: number | null;
}
