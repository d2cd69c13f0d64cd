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
  formula: 'caption windows rated match / all rated windows (match, mismatch, unclear)',
  inputs: 'caption windows of the captions layer, each rated by a vision model from its frames',
  boundaries: {
    ideal: 0.9,
    review: 0.7,
    allowed_share: 0.05,
    source: 'chosen: with three mismatching texts in ten, a model learns to ignore them',
  },
  observe(evidence) {
    const captions = readCaptions(evidence);
    if ('reason' in captions) return notAssessable(captions.reason);
    const agreement = evidence.annotations?.agreement;
    if (agreement === undefined) return notAssessable('no vision model was used');
    if ('not_assessable' in agreement) return notAssessable(agreement.not_assessable);
    const { windows, model } = agreement;
    if (windows.length === 0) return notAssessable('no caption window was rated');
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
      provenance: `${model}, from the frames of each window`,
      diagnostics: {
        mismatches: mismatch
          .slice(0, maxExamples)
          .map(({ from_s, to_s, text, note }) => ({ from_s, to_s, label: text, reason: note })),
      },
    };
  },
};
