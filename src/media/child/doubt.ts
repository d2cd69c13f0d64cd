import type { AddedFrame } from './evidence-builder.ts';

/** Shares and levels that no picture worth training on reaches; a frame past them is looked at with all others. */
const dark = 0.95;
const bright = 0.5;
/** Standard deviation of luma of a picture that shows nothing. */
const flat = 4;

/** What is odd about a frame; null when nothing is. */
export function oddity(frame: AddedFrame): 'dark' | 'blank' | 'bright' | 'repeated' | null {
  if (frame.dark_ratio > dark) return 'dark';
  if (frame.luma_std < flat) return 'blank';
  if (frame.equal === true) return 'repeated';
  return frame.bright_ratio > bright ? 'bright' : null;
}

/** Whether a frame asks for every frame of its camera to be looked at. */
export function isDoubtful(frame: AddedFrame): boolean {
  const odd = oddity(frame);
  return odd !== null && odd !== 'bright';
}
