/** A time range in seconds. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Time before the start that is shown at most, as a fraction of the duration: older samples must not squeeze the rest. */
const maxBefore = 0.05;

/**
 * Returns the time range of a timeline: from 0 to `duration_s`, extended to samples and marks near it; never empty.
 * `axes`: times of the first and last sample of each stream. Times that are not finite are ignored.
 */
export function domainOf(
  duration_s: number,
  axes: readonly TimeRange[],
  marks: readonly { readonly from_s: number; readonly to_s: number }[],
): TimeRange {
  const length = duration_s > 0 && Number.isFinite(duration_s) ? duration_s : 0;
  let [from, to] = [0, length];
  for (const axis of axes) {
    if (axis.from < from) from = axis.from;
    if (axis.to > to && Number.isFinite(axis.to)) to = axis.to;
  }
  from = Math.max(from, -maxBefore * length);
  for (const { from_s, to_s } of marks) {
    if (!(from_s > -2 * length && to_s < 3 * length)) continue;
    if (from_s < from) from = from_s;
    if (to_s > to) to = to_s;
  }
  return { from, to: to > from ? to : from + 1 };
}

/** Maximum zoom relative to the whole episode. */
const maxZoom = 2000;

/** Holds the visible time range of an episode, and maps it to the width of the plot in pixels. */
export class View {
  /** Time range of the whole episode. */
  readonly domain: TimeRange;
  from: number;
  to: number;
  width = 1;

  constructor(domain: TimeRange) {
    this.domain = domain;
    this.from = domain.from;
    this.to = domain.to;
  }

  /** True if the whole episode is visible. */
  get isWhole(): boolean {
    return this.to - this.from >= (this.domain.to - this.domain.from) * 0.9999;
  }

  /** Returns the x coordinate of a time, in pixels of the plot. */
  x(time_s: number): number {
    return ((time_s - this.from) / (this.to - this.from)) * this.width;
  }

  /** Returns the time at an x coordinate, in seconds. */
  time(x: number): number {
    return this.from + (x / this.width) * (this.to - this.from);
  }

  /** Shows a time range, as far as the domain and the maximum zoom allow. */
  set(from: number, to: number): void {
    const { domain } = this;
    const whole = domain.to - domain.from;
    const span = Math.min(whole, Math.max(whole / maxZoom, to - from));
    this.from = Math.min(domain.to - span, Math.max(domain.from, (from + to) / 2 - span / 2));
    this.to = this.from + span;
  }

  /**
   * Multiplies the length of the visible range by a factor, within the domain and the maximum zoom, so that the time
   * `around` keeps its x coordinate.
   */
  zoom(factor: number, around: number): void {
    const span = (this.to - this.from) * factor;
    const share = (around - this.from) / (this.to - this.from);
    this.set(around - share * span, around + (1 - share) * span);
  }

  /** True if a time is in the visible range. */
  contains(time_s: number): boolean {
    return time_s >= this.from && time_s <= this.to;
  }

  /** Moves the visible range, if it does not contain a time, so that it starts 5 % of its length before that time. */
  follow(time_s: number): void {
    const span = this.to - this.from;
    if (!this.contains(time_s)) this.set(time_s - 0.05 * span, time_s + 0.95 * span);
  }
}

const tickSteps = [1, 2, 5];

/** Returns the multiples of a round step within the visible range, about every `spacing_px`, with their texts. */
export function ticks(view: View, spacing_px = 90): readonly (readonly [time_s: number, text: string])[] {
  const minStep = ((view.to - view.from) / view.width) * spacing_px;
  const power = 10 ** Math.floor(Math.log10(minStep));
  const step = power * (tickSteps.find((each) => each * power >= minStep) ?? 10);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const out: [number, string][] = [];
  for (let i = Math.ceil(view.from / step - 1e-9); i * step <= view.to + 1e-9 * step; i++)
    out.push([i * step, (i * step).toFixed(digits)]);
  return out;
}
