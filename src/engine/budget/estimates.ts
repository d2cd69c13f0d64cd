import type { ComputeEstimate } from '#core/api';
import type { MeasuredRate, StoredEstimate } from '#store';

/** Planned work with the values that comparable measurements are matched by. */
export interface PlannedWork extends Pick<StoredEstimate, 'planned_s' | 'work' | 'family' | 'size_class'> {
  /** Whether it is part of a run, where layers share the decoding. */
  readonly in_run: boolean;
}

/** Factor between the plan and either end of its range if nothing comparable was measured. */
const plannedSpread = 4;
/** Number of measurements from which their own range is used; below it, the range is at least `fewSpread` wide. */
const minSamples = 5;
const fewSpread = 1.5;

/**
 * Estimates the compute time of planned work in seconds, with a range: the plan times the median ratio of measured to planned
 * time of the most similar measurements, or the plan itself without any.
 */
export function estimateWork(planned: PlannedWork, rates: readonly MeasuredRate[]): StoredEstimate {
  const { in_run: _, ...stored } = planned;
  return { ...stored, ...toEstimate(planned.planned_s, findSimilar(planned, rates)) };
}

function toEstimate(planned_s: number, similar: readonly MeasuredRate[]): ComputeEstimate {
  const samples = similar.reduce((sum, rate) => sum + rate.samples, 0);
  if (samples === 0)
    return {
      compute_s: planned_s,
      low_s: planned_s / plannedSpread,
      high_s: planned_s * plannedSpread,
      basis: 'planned',
      samples,
      device: 'cpu',
    };
  const median = weightedMedian(similar);
  const low = Math.min(...similar.map((rate) => rate.low));
  const high = Math.max(...similar.map((rate) => rate.high));
  const few = samples < minSamples;
  return {
    compute_s: planned_s * median,
    low_s: planned_s * (few ? Math.min(low, median / fewSpread) : low),
    high_s: planned_s * (few ? Math.max(high, median * fewSpread) : high),
    basis: 'measured',
    samples,
    device: similar[0].device,
  };
}

/**
 * Returns the rates of the most similar work on the device that it last used: same work and picture size, else same
 * family.
 */
function findSimilar(planned: PlannedWork, rates: readonly MeasuredRate[]): readonly MeasuredRate[] {
  const isWork = ({ work }: MeasuredRate) => work === planned.work;
  const isFamily = ({ family }: MeasuredRate) => family === planned.family;
  const isSize = ({ size_class }: MeasuredRate) => size_class === planned.size_class;
  const levels: readonly ((rate: MeasuredRate) => boolean)[] = [
    (rate) => isWork(rate) && isSize(rate) && rate.in_run === planned.in_run,
    (rate) => isWork(rate) && isSize(rate),
    (rate) => isFamily(rate) && isSize(rate),
    isFamily,
  ];
  for (const isSimilar of levels) {
    const similar = rates.filter(isSimilar);
    if (similar.length === 0) continue;
    const { device } = similar.reduce((a, b) => (b.newest_s > a.newest_s ? b : a));
    return similar.filter((rate) => rate.device === device);
  }
  return [];
}

/** Returns the median over the rates, each weighted by the planned time of its work. */
function weightedMedian(rates: readonly MeasuredRate[]): number {
  const sorted = [...rates].sort((a, b) => a.median - b.median);
  const half = rates.reduce((sum, { planned_s }) => sum + planned_s, 0) / 2;
  let counted = 0;
  for (const { planned_s, median } of sorted) {
    counted += planned_s;
    if (counted >= half) return median;
  }
  return sorted[0].median;
}

/**
 * Converts a stored estimate to that of the API: seconds rounded to microseconds, without the values that later estimates are
 * matched by.
 */
export function estimateView({
  compute_s,
  low_s,
  high_s,
  basis,
  samples,
  device,
}: StoredEstimate): ComputeEstimate {
  return { compute_s: round(compute_s), low_s: round(low_s), high_s: round(high_s), basis, samples, device };
}

const round = (seconds: number): number => Math.round(seconds * 1e6) / 1e6;

/**
 * Returns the keys that measured times of a layer are compared by: `work` (layer and config hash) and `family` (layer and
 * model, empty without a model).
 */
export const layerWork = (layer: string, config_hash: string, model: string | null) => ({
  work: `${layer} ${config_hash}`,
  family: `${layer} ${model ?? ''}`,
});
