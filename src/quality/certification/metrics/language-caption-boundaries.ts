import { significant } from '#core';
import { metricTitles } from '#core/titles';
import { readCaptions } from '../captions.ts';
import { type CaptionWindow, type Metric, notAssessable } from '../metric.ts';

/** Tolerance for windows that are rounded to frame times. */
const tolerance_s = 0.05;

export const languageCaptionBoundaries: Metric = {
  id: 'language.caption_boundaries',
  title: metricTitles['language.caption_boundaries'],
  unit: 'ratio',
  direction: 'lower_is_better',
  formula:
    'windows that end before they begin, reach outside the episode, or begin before the one before ends (each by over 0.05 s), over all windows',
  inputs: 'windows of the captions layer',
  boundaries: {
    ideal: 0,
    review: 0.05,
    allowed_share: 0.05,
    source: 'a window out of place pairs a text with other frames; a choice: one in twenty is for review',
  },
  observe(evidence) {
    const captions = readCaptions(evidence);
    if ('reason' in captions) return notAssessable(captions.reason);
    const { windows } = captions;
    const { duration_s } = evidence.receipt.episode;
    const wrong = windows.filter((window, i) => isMisplaced(window, windows[i - 1], duration_s));
    return {
      observed: significant(wrong.length / windows.length),
      confidence: 'high',
      inputs: { windows: windows.length, wrong: wrong.length },
      provenance: 'the captions layer',
    };
  },
};

function isMisplaced(
  { from_s, to_s }: CaptionWindow,
  before: CaptionWindow | undefined,
  duration_s: number,
): boolean {
  if (!(to_s > from_s)) return true;
  if (from_s < -tolerance_s || to_s > duration_s + tolerance_s) return true;
  return before !== undefined && from_s < before.to_s - tolerance_s;
}
