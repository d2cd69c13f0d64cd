import { clamp, significant } from '#core';
import { metricTitles } from '#core/titles';
import { readRequiredCaptions } from '../captions.ts';
import { type CaptionWindow, type Metric, notAssessable } from '../metric.ts';

export const languageCaptionCoverage: Metric = {
  id: 'language.caption_coverage',
  title: metricTitles['language.caption_coverage'],
  unit: 'ratio',
  direction: 'higher_is_better',
  formula: 'time covered by caption windows with text / duration',
  inputs: 'caption windows of the captions layer; only if the policy requires this metric',
  boundaries: {
    ideal: 0.95,
    review: 0.8,
    allowed_share: 0.05,
    source:
      'chosen: one second in twenty may be uncovered; at one in five, training sees too many empty texts',
  },
  observe(evidence, need) {
    const captions = readRequiredCaptions(evidence, need);
    if ('reason' in captions) return notAssessable(captions.reason);
    const { duration_s } = evidence.receipt.episode;
    if (!(duration_s > 0)) return notAssessable('the episode has no duration');
    const captioned = captions.windows.filter(({ text }) => text.trim() !== '');
    const covered_s = coveredSeconds(captioned, duration_s);
    return {
      observed: significant(covered_s / duration_s),
      confidence: 'high',
      inputs: { windows: captions.windows.length, with_text: captioned.length, covered_s, duration_s },
      provenance: 'the captions layer',
    };
  },
};

function coveredSeconds(windows: readonly CaptionWindow[], duration_s: number): number {
  let covered_s = 0;
  let until_s = 0;
  for (const { from_s, to_s } of windows.toSorted((a, b) => a.from_s - b.from_s)) {
    const begin_s = Math.max(until_s, clamp(from_s, 0, duration_s));
    const end_s = clamp(to_s, 0, duration_s);
    if (end_s > begin_s) covered_s += end_s - begin_s;
    until_s = Math.max(until_s, end_s);
  }
  return significant(covered_s);
}
