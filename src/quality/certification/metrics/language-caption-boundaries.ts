import { significant } from '#core';
import { metricTitles } from '#core/titles';
import { readRequiredCaptions } from '../captions.ts';
import { type CaptionWindow, type Metric, notAssessable } from '../metric.ts';

/** Tolerance for windows that are rounded to frame times. */
const tolerance_s = 0.05;

export const languageCaptionBoundaries: Metric = {
  id: 'language.caption_boundaries',
  title: metricTitles['language.caption_boundaries'],
  unit: 'ratio',
  direction: 'lower_is_better',
  formula:
    'share of caption windows that end before they start, extend outside the episode, or overlap the previous window (each by more than 0.05 s)',
  inputs: 'caption windows of the captions layer; only if the policy requires this metric',
  boundaries: {
    ideal: 0,
    review: 0.05,
    allowed_share: 0.05,
    source: 'a misplaced window pairs a text with the wrong frames; chosen: review from one in twenty',
  },
  observe(evidence, need) {
    const captions = readRequiredCaptions(evidence, need);
    if ('reason' in captions) return notAssessable(captions.reason);
    const { windows } = captions;
    const { duration_s } = evidence.receipt.episode;
    if (!(duration_s > 0)) return notAssessable('the episode has no duration');
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
