/**
 * Why a span ends where it does, most telling first:
 * - `unobserved`: the numbers stop or begin again (a hole of the clock, rows without numbers); strength 1;
 * - `scene_cut`: the picture shows another scene than before; strength 1;
 * - `flight_phase`: a flight goes over into another phase; strength 1;
 * - `gripper`: a gripper opens or closes; strength: share of its range that it goes in the half second around the middle;
 * - `still`: motion ends or begins; strength: how long it stands still, as t / (t + 1 s);
 * - `speed_minimum`: it slows down to less than 40 % of the peaks on both sides; strength: 1 − least speed /
 *   the lower of these peaks;
 * - `change_point`: mean and variance of velocity are others than before; strength: g / (g + p), g what a
 *   cut saves above its price and p the price of its place.
 */
export type BoundaryType =
  | 'unobserved'
  | 'scene_cut'
  | 'flight_phase'
  | 'gripper'
  | 'still'
  | 'speed_minimum'
  | 'change_point';

/** A place at which the episode may be cut. */
export interface Boundary {
  readonly at_s: number;
  readonly type: BoundaryType;
  /** 0 to 1. */
  readonly strength: number;
  readonly stream: string;
  /** The gripper's; null where all that moves was looked at. */
  readonly dimension: number | null;
  /** What the gripper does. */
  readonly change: 'open' | 'close' | 'unknown' | null;
}

/** A span that is told apart from the rest by what happens in it. */
export interface MarkedSpan {
  readonly from_s: number;
  readonly to_s: number;
}

/** What is chosen first where both do not fit. */
export const boundaryRank: Readonly<Record<BoundaryType, number>> = {
  unobserved: 0,
  scene_cut: 1,
  flight_phase: 2,
  gripper: 3,
  still: 4,
  speed_minimum: 5,
  change_point: 6,
};
