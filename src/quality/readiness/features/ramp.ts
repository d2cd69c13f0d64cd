/**
 * A score between 0 and 1: 1 up to `good`, 0 from `bad` on, straight between them. `good` may lie above `bad`, for
 * numbers of which more is better. NaN scores 0.
 */
export function ramp(value: number, good: number, bad: number): number {
  const score = (bad - value) / (bad - good);
  return score >= 1 ? 1 : score > 0 ? score : 0;
}
