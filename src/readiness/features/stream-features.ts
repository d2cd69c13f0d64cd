/** One pass over a numeric stream and its clock, shared by every check. Arrays have one entry a dimension. */
export interface StreamFeatures {
  readonly samples: number;
  readonly dims: number;
  /** Median of the positive steps of the chosen clock in seconds; null without a clock or with fewer than two samples. */
  readonly median_step_s: number | null;
  readonly minimum: Float64Array;
  readonly maximum: Float64Array;
  readonly mean: Float64Array;
  readonly std: Float64Array;
  /** Values that are NaN or infinite, over all dimensions. */
  readonly non_finite: number;
}
