export const sorted = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);

/** Returns the quantile of ascending values. */
export const quantile = (ascending: readonly number[], share: number): number =>
  ascending[Math.min(ascending.length - 1, Math.floor(share * ascending.length))];
