/** A window of time, in seconds on the episode's clock. */
export interface Window {
  readonly from_s: number;
  readonly to_s: number;
}

/** A rest shorter than this share of a window belongs to the window before it. */
const leastRest = 0.25;

/** Windows of `window_s` that follow one another over an extent; a still picture is one window without length. */
export function windowsOf({ from_s, to_s }: Window, window_s: number): Window[] {
  const lasts_s = to_s - from_s;
  if (!(lasts_s > 0)) return [{ from_s, to_s }];
  const rest = (lasts_s / window_s) % 1;
  const whole = Math.floor(lasts_s / window_s);
  const count = Math.max(1, whole + (rest >= leastRest ? 1 : 0));
  return Array.from({ length: count }, (_, i) => ({
    from_s: from_s + i * window_s,
    to_s: i + 1 < count ? from_s + (i + 1) * window_s : to_s,
  }));
}
