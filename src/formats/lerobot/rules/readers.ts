import type { Consequence } from '../../shared/rule.ts';

/** Reader id of the library for sets of v2.0 and v2.1. */
export const v21 = 'LeRobot v2.1';
/** Reader id of the library for sets of v3.0. */
export const v30 = 'LeRobot v3.0';

/**
 * Default of the library's `tolerance_s` in both versions: largest accepted time difference of a frame or timestamp,
 * in seconds.
 */
export const tolerance_s = 1e-4;

/** Declares the same consequence for both versions. */
export const sameInBoth = (consequence: Consequence) => ({ [v21]: consequence, [v30]: consequence });
