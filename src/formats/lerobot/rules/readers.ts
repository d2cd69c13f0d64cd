import type { Consequence } from '../../shared/rule.ts';

/** The library as it reads sets of v2.0 and v2.1. */
export const v21 = 'LeRobot v2.1';
/** The library as it reads sets of v3.0. */
export const v30 = 'LeRobot v3.0';

/** Default of `tolerance_s` in both, seconds: how far a frame or a stamp may be from where it is looked for. */
export const tolerance_s = 1e-4;

/** A breach that has the same consequence in both. */
export const both = (consequence: Consequence) => ({ [v21]: consequence, [v30]: consequence });
