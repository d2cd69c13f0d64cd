import { z } from 'zod';
import { clamp, significant } from '#core';
import type { MetricBounds } from '#core/api';
import { metricTitles } from '#core/titles';
import { type CaptionWindow, type EpisodeEvidence, type Metric, notAssessable } from '../metric.ts';
import { readCheck } from '../read-check.ts';

const instructionValues = z.looseObject({ texts: z.number(), blank: z.number() });

export const languageInstructionPresent: Metric = {
  id: 'language.instruction_present',
  title: metricTitles['language.instruction_present'],
  unit: 'ratio',
  direction: 'higher_is_better',
  formula:
    'share of the episode’s task texts that are not blank; 0 if it has none while its dataset has texts',
  inputs: 'task texts counted by the Instruction presence check',
  boundaries: {
    ideal: 1,
    review: 1,
    allowed_share: 0,
    source: 'training pairs every frame with its text, so a single blank text is a defect',
  },
  observe({ receipt }) {
    const read = readCheck(receipt, 'language_presence', instructionValues);
    if (read.status === 'absent') return notAssessable(read.reason);
    const { texts, blank } = read.values;
    return {
      observed: texts === 0 ? 0 : significant((texts - blank) / texts),
      confidence: 'high',
      inputs: { texts, blank },
      provenance: 'measured by the Instruction presence check, over every text',
    };
  },
  conclude(observations) {
    const hasText = observations.some(
      ({ observation }) => 'observed' in observation && observation.observed > 0,
    );
    return {
      observations: observations.map(({ observation }) =>
        hasText || 'not_assessable' in observation
          ? observation
          : notAssessable('no episode of the dataset has a task text'),
      ),
      diagnostics: [],
    };
  },
};

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

/** Tolerance for windows that are rounded to frame times. */
const boundaryTolerance_s = 0.05;

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
  if (from_s < -boundaryTolerance_s || to_s > duration_s + boundaryTolerance_s) return true;
  return before !== undefined && from_s < before.to_s - boundaryTolerance_s;
}

/** Mismatched windows that the diagnostics list. */
const maxDisagreements = 50;

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
          .slice(0, maxDisagreements)
          .map(({ from_s, to_s, text, note }) => ({ from_s, to_s, label: text, reason: note })),
      },
    };
  },
};

type Captions = { readonly windows: readonly CaptionWindow[] } | { readonly reason: string };

/** Returns the caption windows of an episode (at least one), or the reason why there are none. */
function readCaptions({ annotations }: EpisodeEvidence): Captions {
  const windows = annotations?.captions ?? null;
  const why = annotations?.captions_reason ?? null;
  if (windows === null)
    return {
      reason: why === null ? 'the episode has no captions layer' : `captions were not produced: ${why}`,
    };
  return windows.length === 0 ? { reason: 'the captions layer has no caption windows' } : { windows };
}

/** Returns the caption windows if the policy requires captions, or the reason why they are not judged. */
function readRequiredCaptions(evidence: EpisodeEvidence, need: MetricBounds['need']): Captions {
  const captions = readCaptions(evidence);
  if ('reason' in captions || need === 'required') return captions;
  return { reason: 'the captions were generated, and the policy does not require this metric' };
}
