import type { LaneFrame } from '../lane.ts';

/** Longer side of a frame that a model is shown. */
export const shown_px = 512;

/** Frames as a model is shown them, each behind its time. */
export const shownFrames = (frames: readonly LaneFrame[]): (string | LaneFrame)[] =>
  frames.flatMap((frame, at) => [`Frame ${at + 1}, at ${frame.time_s.toFixed(2)} s:`, frame]);

/** Tokens of a frame of that size, to plan with: more than models of pictures take. */
export const planned_frame_tokens = 500;
