import { isLongRun, longestRun } from './base64-run.ts';
import { holdsSplitBase64, tokensOf } from './split-base64.ts';

/** Whether a text holds a long run of base64, unbroken or split over lines, blanks, quotes and commas. */
export function holdsBase64(text: string): boolean {
  if (text.length < longestRun) return false;
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{128,}=*/g)) if (isLongRun(run)) return true;
  return holdsSplitBase64(tokensOf(text));
}
