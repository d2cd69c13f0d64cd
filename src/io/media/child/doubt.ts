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

/**
 * What a frame asks for: `grave`, every frame of its camera to be looked at; `repeats`, those that may be repeats.
 */
export function doubtAbout(frame: AddedFrame): 'none' | 'repeats' | 'grave' {
  const odd = oddity(frame);
  if (odd === 'dark' || odd === 'blank') return 'grave';
  return odd === 'repeated' ? 'repeats' : 'none';
}
