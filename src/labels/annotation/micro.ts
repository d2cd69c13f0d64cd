/** Seconds to the microsecond, as artifacts hold them. */
export const micro = (seconds: number): number => Math.round(seconds * 1e6) / 1e6;
