import { significant } from '#core';
import { metricTitles } from '#core/titles';
import { readCaptions } from '../captions.ts';
import { type Metric, notAssessable } from '../metric.ts';

/** Mismatched windows that the diagnostics list. */
const maxExamples = 50;

export const languageCaptionVideoAgreement: Metric = {
  id: 'language.caption_video_agreement',
  title: metricTitles['language.caption_video_agreement'],
  unit: 'ratio',
  direction: 'higher_is_better',
  formula: 'windows judged match over all judged windows (match, mismatch, unclear)',
  inputs: 'windows of the captions layer, each judged by a vision model that sees its frames',
  boundaries: {
    ideal: 0.9,
    review: 0.7,
    allowed_share: 0.05,
    source: 'a choice: with three texts in ten that say something else a model learns to ignore them',
  },
  observe(evidence) {
    const captions = readCaptions(evidence);
    if ('reason' in captions) return notAssessable(captions.reason);
    const agreement = evidence.annotations?.agreement;
    if (agreement === undefined) return notAssessable('no vision model was asked');
    if ('not_assessable' in agreement) return notAssessable(agreement.not_assessable);
    const { windows, model } = agreement;
    if (windows.length === 0) return notAssessable('no window was judged');
    const withVerdict = (judged: string) => windows.filter((window) => window.judged === judged);
    const [match, mismatch, unclear] = [
      withVerdict('match'),
      withVerdict('mismatch'),
      withVerdict('unclear'),
    ];
    return {
      observed: significant(match.length / windows.length),
      confidence: 'medium',
      inputs: { match: match.length, mismatch: mismatch.length, unclear: unclear.length, model },
      provenance: `${model}, which sees frames of each window`,
      diagnostics: {
        mismatches: mismatch
          .slice(0, maxExamples)
          .map(({ from_s, to_s, text, note }) => ({ from_s, to_s, label: text, reason: note })),
      },
    };
  },
};
